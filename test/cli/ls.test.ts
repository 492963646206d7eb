import { afterAll, beforeAll, expect, it } from 'vitest'
import { project, type Project } from '../support/cli.js'
import { brand, richSpace, serveSpace, type ServedSpace, type SpaceFolder } from '../support/space.js'

let space: SpaceFolder
let service: ServedSpace
let work: Project

beforeAll(async () => {
  space = await richSpace()
  service = await serveSpace(space.folder)
  work = await project({}, {
    CONTENT_SPACE_URL: service.url, CONTENT_SPACE_ID: String(service.spaceId), CONTENT_SPACE_TOKEN: service.token,
  })
})
afterAll(async () => {
  await service.close()
  await work.remove()
  await space.remove()
})

it('lists kits, versions, and a kit as a tree with export names, and downloads nothing', async () => {
  expect((await work.run('ls')).stdout).toContain(`Acme Brand  ${brand.uuid}  uses version 1\n`)
  expect((await work.run('ls', 'acme-brand', '--versions')).stdout).toMatch(/^1 {2}1\.0.*First$/m)
  const { code, stdout } = await work.run('ls', 'acme-brand@draft', '--section', 'logos', '--type', 'svg', '--keyword', 'main')
  expect(code).toBe(0)
  expect(stdout).toMatch(/\n {2}Logos {2}1 asset, .*\n {4}# Primary\n {4}Acme Logo {2}SVG {2}\d+ byte {2}acmeLogo\n/)
  expect(stdout).not.toContain('Photos')
  expect(service.downloads()).toEqual([])
})

it('prints one JSON document, and takes filters without a kit for wrong usage', async () => {
  const { stdout } = await work.run('ls', 'acme-brand', '--json')
  expect(JSON.parse(stdout)).toMatchObject({ uuid: brand.uuid, version: 1, sections: [{ items: [{ asset: { export: 'acmeLogo' } }] }] })
  expect((await work.run('ls', '--type', 'svg')).code).toBe(2)
})
