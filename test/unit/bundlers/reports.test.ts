import { expect, test } from 'vitest'
import { readableIds } from '../../../src/bundlers/reports.js'
import { requestToId } from '../../../src/request/request.js'

test.each([
  [
    { kind: 'asset', kit: { kit: 'brand', version: 'use' }, asset: 'logo', query: { as: 'asset', full: false } },
    'asset/logo',
  ],
  [{ kind: 'app-icons', kit: { kit: 'brand', version: 'use' }, asset: 'logo', icons: {} }, 'app-icons/logo'],
] as const)('the id of %j is shown without its encoded part', (request, shown) => {
  expect(readableIds(`page reload ${requestToId(request)}`)).toBe(`page reload content-space:${shown}`)
})
