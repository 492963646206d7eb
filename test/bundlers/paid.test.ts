import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { build, createProject, type Driver } from './driver.js'
import { esbuildDriver } from './drivers/esbuild.js'
import { farmDriver } from './drivers/farm.js'
import { rolldownDriver } from './drivers/rolldown.js'
import { rollupDriver } from './drivers/rollup.js'
import { rspackDriver } from './drivers/rspack.js'
import { viteDriver } from './drivers/vite.js'
import { webpackDriver } from './drivers/webpack.js'
import { kits, openTestSpace, type TestSpace } from './space.js'

const kit = `content-space:kit/${kits.brand}`
const show = (expression: string): string => `console.log(JSON.stringify(${expression}))`

/** The import forms of the table in the README, as projects. Each uses one asset, or the whole kit if the form does. */
const forms: Record<string, Record<string, string>> = {
  '`import { a } from`': { 'main.js': `import { acmeLogo } from '${kit}'; ${show('acmeLogo')}` },
  '`export { a } from`': {
    'main.js': `import { acmeLogo } from './kit.js'; ${show('acmeLogo')}`,
    'kit.js': `export { acmeLogo } from '${kit}'`,
  },
  '`import * as kit` with `kit.a`': { 'main.js': `import * as kit from '${kit}'; ${show('kit.acmeLogo')}` },
  '`const { a } = await import()`': { 'main.js': `const { acmeLogo } = await import('${kit}'); ${show('acmeLogo')}` },
  '`import().then(({ a }) => …)`': { 'main.js': `import('${kit}').then(({ acmeLogo }) => ${show('acmeLogo')})` },
  '`const kit = await import()` with `kit.a`': {
    'main.js': `const kit = await import('${kit}'); ${show('kit.acmeLogo')}`,
  },
  '`export * from`': {
    'main.js': `import { acmeLogo } from './kit.js'; ${show('acmeLogo')}`,
    'kit.js': `export * from '${kit}'`,
  },
  '`export * as kit from` with `kit.a`': {
    'main.js': `import { kit } from './kit.js'; ${show('kit.acmeLogo')}`,
    'kit.js': `export * as kit from '${kit}'`,
  },
  '`import` of the kit alone': { 'main.js': `import '${kit}'; ${show('0')}` },
  'the default export, or the kit as a value': { 'main.js': `import kit from '${kit}'; ${show('kit')}` },
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

/** The number of downloads for the text of a cell. The kit has six files. */
const downloads: Record<string, number> = { used: 1, all: 6, nothing: 0 }

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

let space: TestSpace
beforeAll(async () => void (space = await openTestSpace()))
afterAll(() => space.close())

test('the table contains every form and every bundler', () => {
  expect(rows.map(([form]) => form)).toEqual(Object.keys(forms))
  expect(head.slice(1).flatMap((names) => names.split(', '))).toEqual(Object.keys(drivers))
})

describe.each(
  rows.flatMap(([form = '', ...cells]) => cells.map((cell, at) => ({ form, cell, bundlers: head[at + 1] ?? '' }))),
)('$form', ({ form, cell, bundlers }) => {
  const [production = '', development = production] = cell.split('; development: ')
  const builds = bundlers.split(', ').flatMap((name) => [
    { name, mode: 'production', says: production },
    { name, mode: 'development', says: development },
  ])
  test.each(builds)('$name, $mode: $says', async ({ name, mode, says }) => {
    const driver = drivers[name]
    if (driver === undefined) throw new Error(`No bundler is called ${name}.`)
    const project = await createProject(forms[form] ?? {})
    try {
      space.requests()
      await build(driver, project, space.options(), { development: mode === 'development' })
      expect(space.requests().filter((request) => request.includes('/download'))).toHaveLength(
        downloads[says] ?? Number.NaN,
      )
    } finally {
      await project.remove()
    }
  })
})
