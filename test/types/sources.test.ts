import { mkdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { project, type Project } from '../support/cli.js'
import { serveSpace, svg, writeSpace, type SpaceFolder } from '../support/space.js'
import { check } from './tsc.js'

const names = ['alpha', 'beta', 'gamma', 'delta', 'epsilon', 'zeta']
const sources = {
  'one.ts': `import { alpha } from 'content-space:kit/brand'\nexport const text: 'Alpha' = alpha.name\n`,
  'two.ts': `export { beta } from 'content-space:kit/brand?as=url'\nexport const lazy = async () => (await import('content-space:asset/brand/gamma?w=16')).default.width\n`,
  'lazy.ts': `import logos from 'content-space:section/brand/logos?lazy&as=url'\nimport whole from 'content-space:kit/brand?lazy'\nimport type { Asset } from 'unplugin-content-space/asset'\nexport const load: () => Promise<string> = logos['alpha']\nexport const asset: Promise<Asset> = whole.beta()\n// @ts-expect-error\nexport const none = logos['omega']\n`,
  'Panel.tsx': `import { gamma } from 'content-space:section/brand/logos'\nexport const panel = () => gamma.src\n`,
  'Page.vue': `<script setup lang="ts">\nimport { delta } from 'content-space:section/brand@draft/logos'\n</script>\n<template><img :src="delta.src"></template>\n`,
  'Page.svelte': `<script lang="ts">\n  import epsilon from 'content-space:asset/brand/epsilon?as=url'\n</script>\n<img src={epsilon} alt="">\n`,
  'Page.astro': `---\nimport zeta from 'content-space:asset/brand/zeta?metadata=full'\n---\n<img src={zeta.src}>\n`,
  'page.mdx': `import outline from 'content-space:outline/brand'\n\n# {outline.name}\n`,
}
/** The script parts of the components, as their compilers would pass them to TypeScript. */
const compiled = `
import { delta } from 'content-space:section/brand@draft/logos'
import epsilon from 'content-space:asset/brand/epsilon?as=url'
import zeta from 'content-space:asset/brand/zeta?metadata=full'
import outline from 'content-space:outline/brand'
export const exact: ['Delta', 24, string, 'SVG', 'Brand'] = [delta.name, delta.width, epsilon, zeta.type, outline.name]
export const size: number | undefined = zeta.size
export const first: 'Logos' = outline.sections[0].name
`
const wrong = `import { alpa } from 'content-space:kit/brand'\nimport none from 'content-space:asset/brand/nun'\nexport const all = [alpa, none.src]\n`

let space: SpaceFolder
let work: Project

beforeAll(async () => {
  space = await writeSpace({
    ...Object.fromEntries(names.map((name) => [`brand/Logos/${name}.svg`, svg(name)])),
    'brand/kit.json': { name: 'Brand' },
  })
  const service = await serveSpace(space.folder)
  work = await project({ 'package.json': '{ "type": "module" }', ...sources }, service.env)
  expect(await work.run('sync')).toMatchObject({ code: 0, stderr: '' })
  await service.close()
  // A fresh clone contains the committed files, but has neither a cache nor a service.
  await rm(join(work.root, '.cache'), { recursive: true })
  await mkdir(join(work.root, 'node_modules'))
  await symlink(
    fileURLToPath(new URL('../..', import.meta.url)),
    join(work.root, 'node_modules/unplugin-content-space'),
  )
  await writeFile(join(work.root, 'compiled.ts'), compiled)
})
afterAll(async () => Promise.all([work.remove(), space.remove()]))

describe('the declarations that sync writes for scripts and components', () => {
  test.each(
    Object.entries(sources).flatMap(([file, text]) =>
      [...text.matchAll(/'(content-space:[^']+)'/g)].map(([, id = '']) => [id, file]),
    ),
  )('%s of %s', async (id) => {
    expect(await readFile(join(work.root, 'content-space.d.ts'), 'utf8')).toContain(`declare module '${id}'`)
  })

  test.each(['TypeScript 5.9', 'TypeScript 7'] as const)(
    'passes %s in a fresh clone, without the service or a cache',
    async (compiler) => {
      for (const resolution of ['bundler', 'node16', 'nodenext']) {
        expect(await check(work.root, compiler, resolution), resolution).toEqual([])
      }
    },
  )

  test("makes tsc fail where the source uses an asset that doesn't exist", async () => {
    await writeFile(join(work.root, 'wrong.ts'), wrong)
    expect(await check(work.root, 'TypeScript 7', 'bundler')).toEqual([expect.stringMatching(/^wrong\.ts:1 /)])
    await rm(join(work.root, 'wrong.ts'))
  })
})
