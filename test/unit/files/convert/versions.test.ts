import { execFile } from 'node:child_process'
import { cp, mkdir, rm, symlink } from 'node:fs/promises'
import { join, resolve } from 'node:path'
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

test('asks for the optional package of icon sets by name, and finds its dependencies', async () => {
  const recipe: Task = { kind: 'svg', policy: 'trust', icon: true }
  const root = await tempFolder()
  onTestFinished(() => rm(root, { recursive: true, force: true }))
  await cp('build', join(root, 'dist'), { recursive: true })
  for (const file of ['package.json', 'dist/sbom.cdx.json']) await cp(file, join(root, file))
  const code = `
    import { openVersions } from './dist/files/convert/versions.js'
    try {
      console.log(openVersions()(${JSON.stringify(recipe)}))
    } catch ({ code, message }) {
      console.log(code, message)
    }
  `
  const run = async () =>
    (await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', code], { cwd: root })).stdout.trim()
  expect(await run()).toBe(
    'invalidOption An icon set needs the package @iconify/tools.\nInstall it: npm install --save-dev @iconify/tools',
  )
  await mkdir(join(root, 'node_modules/@iconify'), { recursive: true })
  await symlink(resolve('node_modules/@iconify/tools'), join(root, 'node_modules/@iconify/tools'))
  expect(await run()).toBe(versionsOf(recipe))
  expect(makers(recipe)).toEqual(['@iconify/tools', '@iconify/utils', '@cyberalien/svg-utils', 'svgo', 'css-tree'])
})
