import { afterAll, beforeAll, test } from 'vitest'
import { openProject, type FrameworkProject } from './support/project.js'

let project: FrameworkProject

beforeAll(async () => {
  project = await openProject('typescript-5.0')
})

afterAll(() => project?.close())

test('the oldest TypeScript reads the entries and the declarations', async () => {
  await project.run('content-space', 'sync')
  await project.run('tsc', '-p', '.')
})
