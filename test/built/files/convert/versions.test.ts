import { execFile } from 'node:child_process'
import { cp, mkdir, rm, symlink } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { fileErrors } from '../../../../src/errors.js'
import { conversionError } from '../../../../src/files/conversions.js'
import { TaskError } from '../../../../src/files/convert/protocol.js'
import { openVersions } from '../../../../src/files/convert/versions.js'
import type { Task } from '../../../../src/files/recipe.js'
import { planned, tempFolder } from '../../../support/files.js'

const versionsOf = openVersions()

test('does not blame the file if the package of sharp for the platform is missing', () => {
  const reason = 'Could not load the "sharp" module using the linux-x64 runtime\nPossible solutions:\n- Ensure'
  const cause = new TaskError({ reason })
  const { src: file = expect.fail() } = planned({ type: 'PNG' }, 'w=2')
  expect(conversionError(file, cause)).toMatchObject({
    code: 'conversionFailed',
    message: [
      `${file.label} cannot be converted: Could not load the "sharp" module using the linux-x64 runtime.`,
      'Reinstall the packages, including optional ones: npm install --include=optional',
    ].join('\n'),
  })
})

test('distinguishes a conversion that this machine ended from a file that cannot be converted', () => {
  const { src: file = expect.fail() } = planned({ type: 'PNG' }, 'w=2')
  const stopped = conversionError(file, new Error('it took too long'))
  expect(stopped).toMatchObject({
    code: 'conversionStopped',
    summary: 'Hero Photo was not converted: it took too long.',
  })
  // If files fail with these codes, the output is made without them.
  expect(fileErrors).not.toContain(stopped.code)
})

/** Returns the names of the libraries without their versions. */
function makers(task: Task): string[] {
  return versionsOf(task)
    .split(' ')
    .map((one) => one.replace(/@\d+\.\d+\.\d+.*$/, ''))
}

test('names only the converters of a file, so that a new svgo does not invalidate raster pictures', () => {
  expect(makers({ kind: 'raster', format: 'png', fit: 'scale' })).toEqual(['sharp'])
  expect(makers({ kind: 'svg', policy: 'sanitize' })).toEqual(['css-tree', 'parse5', 'saxes'])
  expect(makers({ kind: 'svg', policy: 'trust', svgo: true })).toEqual(['svgo', 'css-tree', 'sharp'])
  expect(makers({ kind: 'svg', policy: 'strict', prefix: 'c1' })).toEqual(['svgo', 'css-tree', 'parse5', 'saxes'])
  expect(makers({ kind: 'check' })).toEqual(['parse5', 'saxes'])
})

/** Returns a script that prints the versions for a task, or the error. */
const code = (task: Task) => `
  import { openVersions } from './dist/files/convert/versions.js'
  try {
    console.log(openVersions()(${JSON.stringify(task)}))
  } catch ({ code, message }) {
    console.log(code, message)
  }
`

test('names missing packages, and finds the dependencies of the package for icon sets', async () => {
  const recipe: Task = { kind: 'svg', policy: 'trust', icon: true }
  const root = await tempFolder()
  onTestFinished(() => rm(root, { recursive: true, force: true }))
  await cp('build', join(root, 'dist'), { recursive: true })
  for (const file of ['package.json', 'dist/sbom.cdx.json']) await cp(file, join(root, file))
  const run = async (task: Task = recipe) => {
    const args = ['--input-type=module', '--eval', code(task)]
    return (await promisify(execFile)(process.execPath, args, { cwd: root })).stdout.trim()
  }
  expect(await run({ kind: 'raster', format: 'png', fit: 'scale' })).toBe(
    'invalidOption A conversion needs the package sharp.\nInstall it: npm install --save-dev sharp',
  )
  expect(await run()).toBe(
    'invalidOption An icon set needs the package @iconify/tools.\nInstall it: npm install --save-dev @iconify/tools',
  )
  await mkdir(join(root, 'node_modules/@iconify'), { recursive: true })
  await symlink(resolve('node_modules/@iconify/tools'), join(root, 'node_modules/@iconify/tools'))
  expect(await run()).toBe(versionsOf(recipe))
  expect(makers(recipe)).toEqual(['@iconify/tools', '@iconify/utils', '@cyberalien/svg-utils', 'svgo', 'css-tree'])
})
