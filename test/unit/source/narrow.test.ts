import { expect, test } from 'vitest'
import { noDerived } from '../../../src/disk/derived.js'
import { narrow, usedNames } from '../../../src/source/narrow.js'

const id = 'content-space:kit/brand'

/** Returns the names to which each import is narrowed, in order; undefined if the file remains unchanged. */
async function picks(code: string, file = 'a.ts'): Promise<string[] | undefined> {
  const found: string[] = []
  await narrow(code, file, (specifier, names) => {
    if (!specifier.startsWith('content-space:')) return undefined
    found.push(names.join())
    return `${specifier}?pick=${names.join()}`
  })
  return found.length === 0 ? undefined : found
}

test.each([
  ['named', `import { b, a as c } from '${id}'`, ['a,b']],
  ['named twice', `import { a, a as b } from '${id}'`, ['a']],
  ['string name', `import { 'a' as b } from '${id}'`, ['a']],
  ['default', `import kit, { a } from '${id}'`, ['a,default']],
  ['nothing but its existence', `import '${id}'`, ['']],
  ['inline type', `import { type A, b } from '${id}'`, ['b']],
  ['two imports', `import { a } from '${id}'; import { b } from '${id}?cut=png'`, ['a', 'b']],
  ['another package', `import { a } from '${id}'; import { b } from 'other'`, ['a']],
  ['namespace', `import * as kit from '${id}'; f(kit.a, kit['b'], kit?.c)`, ['a,b,c']],
  ['namespace in JSX', `import * as kit from '${id}'; export const x = <img src={kit.a.src} />`, ['a'], 'a.tsx'],
  ['namespace beside its name', `import * as kit from '${id}'; o.kit; ({ kit: kit.a }); class A { kit = 1 }`, ['a']],
  [
    'namespace in types',
    `import * as kit from '${id}'; type T = typeof kit; let x: typeof kit.b = kit.a as typeof kit.c`,
    ['a'],
  ],
  ['unused namespace', `import * as kit from '${id}'`, ['']],
  ['re-export', `export { a, b as default, default as c } from '${id}'`, ['a,b,default']],
  ['destructured dynamic', `const { a, 'b': c, d = 1 } = await import('${id}')`, ['a,b,d']],
  ['exported destructured dynamic', `export const { a } = await import('${id}')`, ['a']],
  ['held dynamic', `async function f() { const k = await import('${id}'); return k.a.src + k.b }`, ['a,b']],
  [
    'held dynamic, one name in two functions',
    `async () => { const k = await import('${id}'); k.a }; async () => { const k = await import('${id}'); k.b }`,
    ['a', 'b'],
  ],
  ['member of dynamic', `(await import('${id}')).a`, ['a']],
  ['then, destructured', `import('${id}').then(({ a }) => a.src)`, ['a']],
  ['then, held', `import('${id}').then((m) => m.a); import('${id}').then((m) => m.b)`, ['a', 'b']],
  ['then with a function, destructured', `import('${id}').then(function ({ a }) { f(a) })`, ['a']],
  ['then with a function, held', `import('${id}').then(async function g(m) { f(m.a) })`, ['a']],
  ['behind an emoji', `const s = '🎨'; import { a } from '${id}'`, ['a']],
  ['TypeScript syntax', `import { a } from '${id}'; const x = <string>a.src; enum E { A }`, ['a']],
  ['compiled from another language', `import { a } from '${id}'`, ['a'], 'App.vue?vue&type=script&setup=true'],
])('narrows: %s', async (_, code, expected, file = 'a.ts') => {
  expect(await picks(code, file)).toEqual(expected)
})

test.each([
  ['types', `import type { A } from '${id}'`],
  ['re-exported types', `export type { A } from '${id}'`],
  ['namespace that escapes', `import * as kit from '${id}'; f(kit)`],
  ['namespace with computed access', `import * as kit from '${id}'; kit[name]`],
  ['namespace in shorthand', `import * as kit from '${id}'; f({ kit })`],
  ['namespace as a component', `import * as kit from '${id}'; export const x = <kit.A />`, 'a.tsx'],
  ['exported namespace', `import * as kit from '${id}'; export { kit }`],
  ['shadowed namespace', `import * as kit from '${id}'; function f(kit) { return kit.b }`],
  ['import alias of a namespace', `import * as kit from '${id}'; import a = kit.a`],
  ['star re-export', `export * from '${id}'`],
  ['namespace re-export', `export * as kit from '${id}'`],
  ['rest of dynamic', `const { a, ...rest } = await import('${id}')`],
  ['computed dynamic', `const { [name]: a } = await import('${id}')`],
  ['exported dynamic', `export const k = await import('${id}'); k.a`],
  ['dynamic in var', `{ var k = await import('${id}'); k.a } k.b`],
  ['dynamic that escapes', `const k = await import('${id}'); f(k)`],
  ['promise', `const p = import('${id}')`],
  ['then with the arguments of a function', `import('${id}').then(function ({ a }) { return arguments[0] })`],
  ['then with a name', `import('${id}').then(use)`],
  ['computed specifier', 'import(`content-space:kit/${name}`).then(({ a }) => a)'],
  ['syntax error', `import { a } from '${id}'; const`],
  ['JSX in a .ts file', `import { a } from '${id}'; export const x = <b>text</b>`],
  ['source of another language', `<script>import { a } from '${id}'</script>`, 'App.vue'],
])('does not change: %s', async (_, code, file = 'a.ts') => {
  expect(await picks(code, file)).toBeUndefined()
})

test('changes only the specifier, and returns a source map', async () => {
  const result = await narrow(`import { a } from '${id}' // note\nuse(a)\n`, 'a.js', () => `${id}?"`)
  expect(result?.code).toBe(`import { a } from "${id}?\\"" // note\nuse(a)\n`)
  expect(result?.map.sources).toEqual(['a.js'])
})

test('returns no result for a file that needs no change', async () => {
  expect(await narrow(`import { a } from '${id}'`, 'a.js', () => undefined)).toBeUndefined()
})

test.each([
  ['used', `import { fonts as f } from '${id}'; g(f.a.src, f['b'])`, ['a', 'b']],
  ['unused', `import { fonts } from '${id}'`, []],
  ['passed on', `import { fonts } from '${id}'; g(fonts.a, fonts)`, undefined],
  ['re-exported', `export { fonts } from '${id}'`, undefined],
  ['of a namespace', `import * as all from '${id}'; g(all.fonts.a)`, undefined],
])('finds the members of an export that are %s', async (_, code, expected) => {
  const found: unknown[] = []
  await narrow(code, 'a.ts', (_specifier, _names, members) => void found.push(members('fonts')))
  expect(found).toEqual([expected])
})

test.each([
  ['one import', `import { b, a } from '${id}'`, ['a', 'b']],
  ['two imports', `import { a } from '${id}'; const { b } = await import("${id}")`, ['a', 'b']],
  ['an import of types', `import { a } from '${id}'; import type { B } from '${id}'; let c: import('${id}').C`, ['a']],
  ['another specifier', `import { a } from '${id}'; import * as all from '${id}?w=640'; f(all)`, ['a']],
  ['a namespace that escapes', `import { a } from '${id}'; import * as all from '${id}'; f(all)`, ['a'], true],
  ['all exports', `import { a } from '${id}'; export * from '${id}'`, ['a'], true],
  ['a template', `import { a } from '${id}'; import(\`${id}\`).then(({ b }) => b)`, ['a'], true],
  ['require', `import { a } from '${id}'; require('${id}')`, ['a'], true],
  ['a choice', `import { a } from '${id}'; import(night ? 'content-space:kit/night' : '${id}')`, ['a'], true],
  ['a sum', `import { a } from '${id}'; import('content-space:kit/' + 'brand')`, ['a'], true],
  ['no import', `f('${id}')`, [], true],
  ['a syntax error', `import { a } from '${id}'; const`, undefined],
])('finds what all imports of a file use: %s', async (_, code, expected, isWhole = false) => {
  const used = await usedNames(id, code, 'a.ts', noDerived)
  expect(used && [used.names, used.isWhole]).toEqual(expected && [expected, isWhole])
})

test.each([
  ['in one import', `import { fonts, a } from '${id}'; g(fonts.a)`, ['a']],
  [
    'in two imports',
    `import { fonts as one } from '${id}'; import { fonts as two } from '${id}'; g(one.b, two.a)`,
    ['b', 'a'],
  ],
  [
    'as a whole in one of two',
    `import { fonts } from '${id}'; export { fonts as all } from '${id}'; g(fonts.a)`,
    undefined,
  ],
])('finds the members of an export that all imports use: %s', async (_, code, expected) => {
  expect((await usedNames(id, code, 'a.ts', noDerived))?.membersOf('fonts')).toEqual(expected)
})
