import { expect, mock, test } from 'bun:test'
import { shown } from './shown'

mock.module('content-space:kit/brand?as=metadata', () => ({ solvaneLogo: { name: 'kit' } }))
mock.module('content-space:asset/brand/solvane-logo?url', () => ({ default: 'url' }))
mock.module('content-space:asset/brand/leaf?raw', () => ({ default: 'raw' }))
mock.module('content-space:section/brand/logos', () => ({ solvaneLogo: { src: 'section' } }))
mock.module('content-space:asset/brand/compass?w=20&format=png', () => ({ default: { src: 'asset' } }))

test('mocks replace modules of every form of id', () => {
  expect(shown()).toEqual(['kit', 'url', 'raw', 'section', 'asset'])
})

test('a mock of an id that the source does not contain is an error', () => {
  const id = ['content-space:asset', 'brand', 'moon'].join('/')
  expect(() => mock.module(id, () => ({}))).toThrow('was not loaded')
})
