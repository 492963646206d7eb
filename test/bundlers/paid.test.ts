import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { serveSpace, svg, writeSpace, type ServedSpace, type SpaceFolder } from '../support/space.js'
import { build, createProject, type Driver } from './driver.js'
import { esbuildDriver } from './drivers/esbuild.js'
import { farmDriver } from './drivers/farm.js'
import { rolldownDriver } from './drivers/rolldown.js'
import { rollupDriver } from './drivers/rollup.js'
import { rspackDriver } from './drivers/rspack.js'
import { viteDriver } from './drivers/vite.js'
import { webpackDriver } from './drivers/webpack.js'

const show = (expression: string): string => `console.log(JSON.stringify(${expression}))`

/**
 * The import forms in the README's table, as projects that use one asset of a kit, or the whole kit if the form does.
 */
const forms: Record<string, (kit: string, asset: string) => Record<string, string>> = {
  '`import { a } from`': (kit, a) => ({ 'main.js': `import { ${a} } from '${kit}'; ${show(a)}` }),
  '`export { a } from`': (kit, a) => ({
    'main.js': `import { ${a} } from './kit.js'; ${show(a)}`,
    'kit.js': `export { ${a} } from '${kit}'`,
  }),
  '`import * as kit` with `kit.a`': (kit, a) => ({ 'main.js': `import * as kit from '${kit}'; ${show(`kit.${a}`)}` }),
  '`const { a } = await import()`': (kit, a) => ({ 'main.js': `const { ${a} } = await import('${kit}'); ${show(a)}` }),
  '`import().then(({ a }) => …)`': (kit, a) => ({ 'main.js': `import('${kit}').then(({ ${a} }) => ${show(a)})` }),
  '`const kit = await import()` with `kit.a`': (kit, a) => ({
    'main.js': `const kit = await import('${kit}'); ${show(`kit.${a}`)}`,
  }),
  '`export * from`': (kit, a) => ({
    'main.js': `import { ${a} } from './kit.js'; ${show(a)}`,
    'kit.js': `export * from '${kit}'`,
  }),
  '`export * as kit from` with `kit.a`': (kit, a) => ({
    'main.js': `import { kit } from './kit.js'; ${show(`kit.${a}`)}`,
    'kit.js': `export * as kit from '${kit}'`,
  }),
  "`import 'content-space:kit/…'`": (kit) => ({ 'main.js': `import '${kit}'; ${show('0')}` }),
  'the default export, or the kit as a value': (kit) => ({ 'main.js': `import kit from '${kit}'; ${show('kit')}` }),
}

const drivers: Record<string, Driver> = {
  Vite: viteDriver,
  Rollup: rollupDriver,
  Rolldown: rolldownDriver,
  webpack: webpackDriver,
  Rspack: rspackDriver,
  esbuild: esbuildDriver,
  Farm: farmDriver,
}

const page = await readFile(new URL('../../docs/bundlers.md', import.meta.url), 'utf8')
const [head = [], , ...rows] = (/^\| import form [\s\S]*?\n\n/m.exec(page)?.[0] ?? '')
  .trim()
  .split('\n')
  .map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  )

/** The kit contains a drawing for each form. */
const marks = Object.keys(forms).map((_, at) => `mark${at}`)
const kit = 'content-space:kit/brand'

let space: SpaceFolder
let service: ServedSpace
beforeAll(async () => {
  space = await writeSpace(Object.fromEntries(marks.map((name) => [`brand/Marks/${name}.svg`, svg(name)])))
  service = await serveSpace(space.folder, { rateLimit: false })
})
afterAll(async () => {
  await service.close()
  await space.remove()
})

test('the table contains every form and every bundler', () => {
  expect(rows.map(([form]) => form)).toEqual(Object.keys(forms))
  expect(head.slice(1).flatMap((names) => names.split(', '))).toEqual(Object.keys(drivers))
})

/** Returns a bundler's cells in one mode, with their forms. */
function cellsOf(bundler: string, mode: string): { form: string; says: string }[] {
  const column = head.findIndex((names) => names.split(', ').includes(bundler))
  return rows.map(([form = '', ...cells]) => {
    const [production = '', development = production] = (cells[column - 1] ?? '').split('; development: ')
    return { form, says: mode === 'production' ? production : development }
  })
}

const builds = Object.entries(drivers).flatMap(([name, driver]) =>
  ['production', 'development'].map((mode) => ({ name, mode, driver, cells: cellsOf(name, mode) })),
)

describe.each(builds)('$name, $mode', ({ driver, mode, cells }) => {
  /** Returns the number of downloads in a build, and the names of the assets whose files were emitted. */
  async function paid(files: Record<string, string>): Promise<{ downloads: number; emitted: string[] }> {
    const project = await createProject(files)
    try {
      service.requests.length = 0
      const options = { ...service.options, rateLimit: false, cacheDir: join(project.root, 'cache') } as const
      const output = await build(driver, project, options, { development: mode === 'development' })
      const emitted = output.assets().flatMap(([path]) => /mark\d/.exec(path) ?? [])
      return { downloads: service.downloads().length, emitted: emitted.toSorted() }
    } finally {
      await project.remove()
    }
  }

  // All forms are in one build, each with its own asset. If a form used more, assets would appear that no form uses.
  test("forms that use one asset download only that asset, and forms that use none don't download anything", async () => {
    const files: Record<string, string> = {}
    const used: string[] = []
    for (const [at, { form, says }] of cells.entries()) {
      if (says === 'all') continue
      const name = marks[at] ?? ''
      for (const [path, text] of Object.entries(forms[form]?.(kit, name) ?? {})) files[`${name}/${path}`] = text
      if (says === 'used') used.push(name)
      else expect([form, says]).toEqual([form, 'nothing'])
    }
    const folders = Object.keys(files).filter((path) => path.endsWith('/main.js'))
    files['main.js'] = folders.map((path) => `import './${path}'\n`).join('')
    expect(used.length).toBeGreaterThan(5)
    expect(await paid(files)).toEqual({ downloads: used.length, emitted: used })
  })

  test.each(cells.filter(({ says }) => says === 'all'))('$form pays for the whole kit', async ({ form }) => {
    expect(await paid(forms[form]?.(kit, 'mark0') ?? {})).toEqual({ downloads: marks.length, emitted: marks })
  })
})
