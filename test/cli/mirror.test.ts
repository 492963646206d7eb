import { afterAll, beforeAll, expect, test } from 'vitest'
import { project, type Project } from '../support/cli.js'
import { brand, richSpace, serveSpace, type ServedSpace, type SpaceFolder } from '../support/space.js'

let space: SpaceFolder
let service: ServedSpace
let work: Project

beforeAll(async () => {
  space = await richSpace()
  service = await serveSpace(space.folder)
  work = await project({ 'mine/thesis.txt': 'years of work' }, service.env)
})
afterAll(async () => {
  await service.close()
  await work.remove()
  await space.remove()
})

test('writes a folder that commands read as a space, and reports each step', async () => {
  const first = await work.run('mirror', 'acme-brand', '--out', 'space')
  expect(first).toMatchObject({ code: 0, stdout: expect.stringMatching(/^wrote space: .*\n$/) })
  expect(first.stderr).toMatch(/^Acme Brand \(version 0\): 8 files, .*\n(?:.*\n)*Acme Brand \(version 1\): 1 file, /)
  expect((await work.run('mirror', brand.uuid, '--out', 'space')).stdout).toMatch(
    /^space is up to date: 2 versions, 9 files, /,
  )
  const listed = (...more: string[]) => work.run('ls', 'acme-brand@draft', ...more)
  expect((await listed('--space', 'space')).stdout).toBe((await listed()).stdout)
})

test('prints one JSON document', async () => {
  const { stdout } = await work.run('mirror', 'acme-brand@1', '--out', 'json', '--json')
  const versions = [
    { uuid: brand.uuid, version: 0 },
    { version: 1, assets: 1, files: 1 },
  ]
  expect(JSON.parse(stdout)).toMatchObject({ changed: true, missing: [], warnings: [], versions })
})

test('refuses a folder that is not a mirror with exit code 1, and requires a kit and a folder', async () => {
  const refused = await work.run('mirror', 'acme-brand', '--out', 'mine')
  expect(refused).toMatchObject({
    code: 1,
    stdout: '',
    stderr: expect.stringContaining('mine is not empty and is not a mirror.'),
  })
  expect((await work.run('mirror', 'acme-brand')).code).toBe(2)
  expect((await work.run('mirror', '--out', 'space')).code).toBe(2)
  expect((await work.run('mirror', 'acme-brand', '--out', '')).code).toBe(2)
})
