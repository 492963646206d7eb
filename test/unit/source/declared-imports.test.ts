import { expect, test } from 'vitest'
import { declaredImports } from '../../../src/source/declared-imports.js'

const found = (code: string, file = 'index.d.ts') =>
  declaredImports(code, file).map(({ specifier, start, end, names }) => {
    expect(code.slice(start + 1, end - 1)).toBe(specifier)
    return [specifier, names]
  })

test.each([
  [`import hero from 'content-space:asset/brand/hero'`, ['default']],
  [`import type { a, b as c } from 'content-space:kit/brand'`, ['a', 'b']],
  [`import kit, { a } from 'content-space:kit/brand'`, ['default', 'a']],
  [`export { default as hero } from 'content-space:kit/brand'`, ['default']],
  [`import * as kit from 'content-space:kit/brand'`, undefined],
  [`export * from 'content-space:kit/brand'`, undefined],
  [`export declare const kit: Promise<typeof import('content-space:kit/brand')>`, undefined],
  [`import kit = require('content-space:kit/brand')`, undefined],
])('%s', (code, names) => {
  expect(found(code)).toEqual([[expect.stringContaining('content-space:'), names]])
})

test('declarations may lack initializers, in every kind of declaration file', () => {
  for (const file of ['a.d.ts', 'a.d.mts', 'a.d.cts'])
    expect(found(`import a from 'a'; export const b: typeof a`, file)).toEqual([['a', ['default']]])
})

test('imports within declarations of other modules are left out', () => {
  expect(found(`declare module 'x' { export { default } from 'content-space:kit/brand' }`)).toEqual([])
})
