import { expect, jest, test } from '@jest/globals'

test('mocks replace modules of every form of id', async () => {
  jest.unstable_mockModule('content-space:kit/solvane-brand', () => ({ solvaneLogo: { src: 'kit' } }))
  jest.unstable_mockModule('content-space:asset/brand/solvane-logo?url', () => ({ default: 'url' }))
  jest.unstable_mockModule('content-space:asset/brand/leaf?raw', () => ({ default: 'raw' }))
  jest.unstable_mockModule('content-space:section/brand/logos', () => ({ solvaneLogo: { src: 'section' } }))
  jest.unstable_mockModule('content-space:asset/brand/compass?w=20&format=png', () => ({ default: { src: 'asset' } }))
  const { shown } = await import('./shown.mjs')
  expect(shown()).toEqual(['kit', 'url', 'raw', 'section', 'asset'])
})
