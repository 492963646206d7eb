import { execFile } from 'node:child_process'
import { copyFile, mkdir, readFile, rm, symlink } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { openVersions } from '../../../../src/files/convert/versions.js'
import type { Task } from '../../../../src/files/recipe.js'
import { tempFolder } from '../../../support/files.js'

const versionsOf = openVersions()

/** Returns the names of the converters without their versions. */
function makers(task: Task): string[] {
  return versionsOf(task)
    .split(' ')
    .map((one) => one.replace(/@\d+\.\d+\.\d+.*$/, ''))
}

test('names only the converters of a file, so that a new svgo does not invalidate raster pictures', () => {
  expect(makers({ kind: 'raster', format: 'png', fit: 'scale' })).toEqual(['sharp'])
  expect(makers({ kind: 'svg', policy: 'sanitize' })).toEqual(['parse5', 'saxes'])
  expect(makers({ kind: 'svg', policy: 'trust', svgo: true })).toEqual(['svgo', 'css-tree'])
  expect(makers({ kind: 'svg', policy: 'strict', prefix: 'c1' })).toEqual(['svgo', 'css-tree', 'parse5', 'saxes'])
  expect(makers({ kind: 'check' })).toEqual(['parse5', 'saxes'])
})

test('finds the packages of Iconify where only the dependencies of this package can be resolved', async () => {
  const recipe: Task = { kind: 'svg', policy: 'trust', icon: true }
  const root = await tempFolder()
  onTestFinished(() => rm(root, { recursive: true, force: true }))
  const { dependencies } = JSON.parse(await readFile('package.json', 'utf8'))
  for (const name of Object.keys(dependencies)) {
    const link = join(root, 'node_modules', name)
    await mkdir(dirname(link), { recursive: true })
    await symlink(resolve('node_modules', name), link)
  }
  await copyFile('build/files/convert/versions.js', join(root, 'versions.mjs'))
  const code = `
    import { openVersions } from './versions.mjs'
    console.log(openVersions()(${JSON.stringify(recipe)}))
  `
  const run = promisify(execFile)(process.execPath, ['--input-type=module', '--eval', code], { cwd: root })
  expect((await run).stdout.trim()).toBe(versionsOf(recipe))
  expect(makers(recipe)).toEqual(['@iconify/tools', '@iconify/utils', '@cyberalien/svg-utils', 'svgo', 'css-tree'])
})
