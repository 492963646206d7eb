import { expect, test } from 'vitest'
import { fileReference, type ReferenceKind } from '../../../../src/commands/pull/module-kinds.js'

/** Evaluates a reference, given the value to which the bundler has resolved its import. */
function read(kind: ReferenceKind, imported: unknown): unknown {
  const { code } = fileReference('./acme-logo.svg', kind, 'file')
  // oxlint-disable-next-line typescript/no-implied-eval -- the code of a module
  return new Function('file', `return ${code}`)(imported)
}

test.each([
  ['an address', '/assets/acme-logo.svg'],
  ['a data URI', 'data:image/svg+xml,%3Csvg/%3E'],
  ['an object of Next.js', { src: '/assets/acme-logo.svg', width: 40 }],
])('an imported file may be %s', (_, imported) => {
  const address = typeof imported === 'string' ? imported : imported.src
  for (const kind of ['import', 'angular', 'next'] as const) expect(read(kind, imported)).toBe(address)
})

test.each([
  ['a component', () => null],
  ['the text of the file', '<svg xmlns="http://www.w3.org/2000/svg"/>'],
  ['nothing', undefined],
  ['an object without an address', { ReactComponent: () => null }],
])('an imported file that is %s is an error that names the file and the rule', (_, imported) => {
  expect(() => read('import', imported)).toThrow(
    './acme-logo.svg is not an address, because a rule of the bundler applies to it.',
  )
})
