import { expect, test } from 'vitest'
import { mocksOf } from '../../../src/source/mocks.js'

test('finds the ids of mocks', () => {
  const code = `
    import { leaf } from 'content-space:kit/brand'
    vi.mock('content-space:kit/brand?raw', () => ({ leaf: '' }))
    vi.doMock( import("content-space:kit/brand?as=react"), { spy: true })
    jest.mock(\`content-space:asset/brand/leaf\`)
    jest.unstable_mockModule('content-space:tokens/brand', () => ({}))
    vi.mock('./leaf.js')`
  expect(mocksOf(code)).toEqual([
    'content-space:kit/brand?raw',
    'content-space:kit/brand?as=react',
    'content-space:asset/brand/leaf',
    'content-space:tokens/brand',
  ])
})
