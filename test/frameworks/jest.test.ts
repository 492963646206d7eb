import { afterAll, beforeAll, expect, test } from 'vitest'
import { openProject, type FrameworkProject } from './support/project.js'

let project: FrameworkProject

beforeAll(async () => {
  project = await openProject('jest')
})

afterAll(() => project?.close())

test('types are checked before the first run', async () => {
  await project.run('content-space', 'sync')
  await project.run('tsc', '-p', '.')
})

test('tests in CommonJS import ids with and without queries', async () => {
  expect(await project.run('jest')).toContain('Tests:       2 passed')
})

test('mocks in CommonJS replace modules of every form of id', async () => {
  expect(await project.run('jest', '--roots', 'mocks', '--testMatch', '**/*.test.js')).toContain('4 passed')
})

test('with option jestPaths, `src` is the path of the file', async () => {
  await project.edit('content-space.config.ts', 'kits:', 'jestPaths: true, kits:')
  await expect(project.run('jest')).rejects.toThrow(/content\/files\/\w+\/solvane-logo\.svg/)
  await project.edit('content-space.config.ts', 'jestPaths: true, kits:', 'kits:')
})

test('tests in ES modules import ids with and without queries, beside the own mapper of a project', async () => {
  project.setEnv({ NODE_OPTIONS: '--experimental-vm-modules' })
  expect(await project.run('jest', '--config', 'esm.config.mjs')).toContain('Tests:       2 passed')
})

test('mocks in ES modules replace modules of every form of id', async () => {
  expect(await project.run('jest', '--config', 'esm.config.mjs', '--roots', 'mocks')).toContain('1 passed')
})

test('an id and a query that are added while Jest watches are written when a test imports them', async () => {
  // All runs of a Jest that is watching have the same name.
  project.setEnv({ CONTENT_SPACE_JEST_RUN: 'watching' })
  await project.run('jest')
  await project.edit('src/hero.test.js', 'brand/leaf?raw', 'brand/compass?raw')
  await project.edit(
    'src/hero.test.js',
    "toContain('<svg')\n})",
    "toContain('<svg')\n  expect(coast.width).toBe(200)\n})",
  )
  await project.edit('src/hero.test.js', 'import { hero', `import coast from '${coast}?w=200'\nimport { hero`)
  expect(await project.run('jest')).toContain('Tests:       2 passed')

  await project.run('jest', '--config', 'esm.config.mjs')
  await project.edit('esm/picture.mjs', '?w=320;640&format=webp', '?w=300&format=webp')
  await project.edit('esm/picture.test.mjs', "'webp'])", "'webp'])\n  expect(picture.width).toBe(300)")
  expect(await project.run('jest', '--config', 'esm.config.mjs')).toContain('Tests:       2 passed')
})

test('an error of one import fails only the tests that import it, and suggests the nearest asset', async () => {
  await project.edit('src/hero.test.js', 'brand/compass?raw', 'brand/compas?raw')
  await expect(project.run('jest')).rejects.toThrow(/compas[^]*compass[^]*imported by: .*hero\.test\.js/)
  // An ES module imports another query of this picture.
  await project.edit('src/hero.test.js', `${coast}?w=200`, `${coast}?cut=eps`)
  project.setEnv({ CONTENT_SPACE_JEST_RUN: 'later' })
  expect(await project.run('jest', '--config', 'esm.config.mjs')).toContain('Tests:       2 passed')
})

const coast = 'content-space:asset/brand/coast-at-dawn'
