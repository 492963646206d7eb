import { deepEqual, throws } from 'node:assert/strict'
import { mock, test } from 'node:test'

test('mocks replace modules of every form of id', async () => {
  mock.module('content-space:kit/brand?as=metadata', { namedExports: { solvaneLogo: { name: 'kit' } } })
  mock.module('content-space:asset/brand/solvane-logo?url', { defaultExport: 'url' })
  mock.module('content-space:asset/brand/leaf?raw', { defaultExport: 'raw' })
  mock.module('content-space:section/brand/logos', { namedExports: { solvaneLogo: { src: 'section' } } })
  mock.module('content-space:asset/brand/compass?w=20&format=png', { defaultExport: { src: 'asset' } })
  const { shown } = await import('./shown.ts')
  deepEqual(shown(), ['kit', 'url', 'raw', 'section', 'asset'])
})

test('a mock of an id that the source does not contain is an error', () => {
  const id = ['content-space:asset', 'brand', 'moon'].join('/')
  throws(() => mock.module(id, {}), /was not loaded/)
})
