import { afterAll, beforeAll, expect, test } from 'vitest'
import { project, type Project } from '../support/cli.js'
import { assetUuid, contentService, kitUuid, marks } from '../support/content-service.js'
import { faultServer, refusal } from '../support/fault-server.js'
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
  expect(first.stderr).toMatch(/^Acme Brand \(draft\): 8 files, .*\n(?:.*\n)*Acme Brand \(version 1\): 1 file, /)
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

test('writes the rest and exits with 1 if an original is missing, and with 0 if a cut is', async () => {
  let refusesCuts = false
  const server = await faultServer(
    contentService({ uploads: marks(3), version: 0 }, ({ path, query, response }) => {
      const isRefused = path === `assets/${assetUuid(2)}/download` && query.has('type') === refusesCuts
      if (isRefused) refusal(response, 3100, 404)
      return isRefused
    }),
  )
  const mirror = (...more: string[]) =>
    work.run('mirror', kitUuid, '--out', 'rest', '--space', server.url, '--space-id', '7', ...more)
  const first = await mirror()
  expect(first.stderr).toMatch(/^.*\nwarning: Mark 2 \(draft\) is not in the mirror: .*\n$/)
  expect(first).toMatchObject({ code: 1, stdout: expect.stringContaining('2 files') })
  expect((await mirror('--json')).code).toBe(1)
  refusesCuts = true
  expect(await mirror()).toMatchObject({ code: 0, stderr: expect.stringMatching(/ as PDF .* is not in the mirror/) })
  await server.close()
})

test('rejects a folder that is not a mirror with exit code 1, and requires a kit and a folder', async () => {
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
