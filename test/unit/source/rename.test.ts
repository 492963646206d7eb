import { expect, test } from 'vitest'
import { renameImports, type Renaming } from '../../../src/source/rename.js'

const names = new Map([
  ['acmeLogo', 'corpLogo'],
  ['AcmeLogo', 'CorpLogo'],
])

function renamingOf(specifier: string): Renaming | undefined {
  if (!specifier.startsWith('content-space:')) return undefined
  return { specifier: specifier.replace('/acme-logo', '/corp-logo'), exported: (name) => names.get(name) }
}

const kit = `'content-space:kit/brand'`

test.each([
  [
    'a name and its uses',
    'a.ts',
    `import { acmeLogo } from ${kit}\nuse(acmeLogo.src, { acmeLogo }, x.acmeLogo, { acmeLogo: 1 })`,
    `import { corpLogo } from ${kit}\nuse(corpLogo.src, { acmeLogo: corpLogo }, x.acmeLogo, { acmeLogo: 1 })`,
  ],
  [
    'components in JSX',
    'a.tsx',
    `import { AcmeLogo } from ${kit}\nconst a = <AcmeLogo acmeLogo />`,
    `import { CorpLogo } from ${kit}\nconst a = <CorpLogo acmeLogo />`,
  ],
  [
    'types',
    'a.ts',
    `import type { acmeLogo } from ${kit}\ntype A = typeof acmeLogo`,
    `import type { corpLogo } from ${kit}\ntype A = typeof corpLogo`,
  ],
  [
    'an import under another name',
    'a.ts',
    `import { acmeLogo as logo } from ${kit}\nlogo`,
    `import { corpLogo as logo } from ${kit}\nlogo`,
  ],
  [
    'only the import where the name is declared again',
    'a.ts',
    `import { acmeLogo } from ${kit}\nconst f = (acmeLogo) => acmeLogo\nf(acmeLogo)`,
    `import { corpLogo as acmeLogo } from ${kit}\nconst f = (acmeLogo) => acmeLogo\nf(acmeLogo)`,
  ],
  [
    'only the import where a pattern declares it again',
    'a.ts',
    `import { acmeLogo } from ${kit}\nfunction f({ acmeLogo }) {}\nf(acmeLogo)`,
    `import { corpLogo as acmeLogo } from ${kit}\nfunction f({ acmeLogo }) {}\nf(acmeLogo)`,
  ],
  [
    'only the import where the new name is taken',
    'a.ts',
    `import { acmeLogo } from ${kit}\nconst corpLogo = acmeLogo`,
    `import { corpLogo as acmeLogo } from ${kit}\nconst corpLogo = acmeLogo`,
  ],
  [
    'what a file exports keeps its name',
    'a.ts',
    `export { acmeLogo, acmeLogo as b } from ${kit}`,
    `export { corpLogo as acmeLogo, corpLogo as b } from ${kit}`,
  ],
  [
    'members of a namespace',
    'a.tsx',
    `import * as brand from ${kit}\nconst a = [brand.acmeLogo, <brand.AcmeLogo />]`,
    `import * as brand from ${kit}\nconst a = [brand.corpLogo, <brand.CorpLogo />]`,
  ],
  [
    'imports at run time',
    'a.ts',
    `const { acmeLogo, b } = await import(${kit})\nconst all = await import(${kit})\nall.acmeLogo\n;(await import(${kit})).acmeLogo`,
    `const { corpLogo: acmeLogo, b } = await import(${kit})\nconst all = await import(${kit})\nall.corpLogo\n;(await import(${kit})).corpLogo`,
  ],
  [
    'patterns of imports at run time',
    'a.ts',
    `import(${kit}).then(({ acmeLogo, acmeLogo: b, ['acmeLogo']: c, acmeLogo = d }) => acmeLogo)\nimport(${kit}).then(function (all) { return all.acmeLogo })\n;({ acmeLogo } = await import(${kit}))`,
    `import(${kit}).then(({ corpLogo: acmeLogo, corpLogo: b, ["corpLogo"]: c, corpLogo: acmeLogo = d }) => acmeLogo)\nimport(${kit}).then(function (all) { return all.corpLogo })\n;({ corpLogo: acmeLogo } = await import(${kit}))`,
  ],
  [
    'a namespace that is taken apart',
    'a.ts',
    `import * as brand from ${kit}\nconst { acmeLogo } = brand`,
    `import * as brand from ${kit}\nconst { corpLogo: acmeLogo } = brand`,
  ],
  [
    'components keep the local name for their template',
    'a.vue',
    `<script setup>\nimport { AcmeLogo } from ${kit}\n</script>\n<template><AcmeLogo /></template>`,
    `<script setup>\nimport { CorpLogo as AcmeLogo } from ${kit}\n</script>\n<template><AcmeLogo /></template>`,
  ],
  [
    'style sheets',
    'a.css',
    `a { background: url(content-space:asset/brand/acme-logo?w=2) }`,
    `a { background: url(content-space:asset/brand/corp-logo?w=2) }`,
  ],
  [
    'other imports stay',
    'a.ts',
    `import { acmeLogo } from './acme-logo'\nacmeLogo`,
    `import { acmeLogo } from './acme-logo'\nacmeLogo`,
  ],
])('renames %s', (_, file, before, after) => {
  expect(renameImports(before, file, renamingOf)).toBe(after)
})
