import { afterAll, beforeAll, expect, test } from 'vitest'
import { openProject, type FrameworkProject } from './support/project.js'

let project: FrameworkProject

beforeAll(async () => {
  project = await openProject('react-native')
})

afterAll(() => project?.close())

test('Metro bundles pulled modules, and finds the densities of each picture', async () => {
  await project.run('npm', 'run', 'build')
  const print = "require('./bundle.js'); console.log(JSON.stringify({ images, assets }))"
  const { images, assets } = JSON.parse(await project.run('node', '-e', print))
  expect(images).toEqual([
    { source: 1, width: 60, height: 60 },
    { source: 2, width: 60, height: 40 },
  ])
  expect(assets).toMatchObject([
    { name: 'solvane_mark', type: 'png', scales: [1, 2, 3], width: 60, height: 60 },
    { name: 'coast_at_dawn', type: 'png', scales: [1, 2, 3], width: 60, height: 40 },
  ])
})

test('types are those of the bundle', () => project.run('tsc', '-p', '.'))
