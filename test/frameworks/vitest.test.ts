import { afterAll, beforeAll, expect, test } from 'vitest'
import { openProject, type FrameworkProject } from './support/project.js'

let project: FrameworkProject

beforeAll(async () => {
  project = await openProject('vitest')
})

afterAll(() => project?.close())

test('types are checked before the first run', async () => {
  await project.run('content-space', 'sync')
  await project.run('tsc', '-p', '.')
})

test('tests import content', async () => {
  expect(await project.run('vitest', 'run')).toContain('1 passed')
})

test('an unknown asset fails the tests that import it, and suggests the nearest one', async () => {
  await project.edit('src/hero.test.ts', 'brand/leaf?raw', 'brand/leav?raw')
  await expect(project.run('vitest', 'run')).rejects.toThrow(/leav[^]*leaf[^]*hero\.test\.ts/)
})
