import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { brand, richSpace, serveSpace, type ServedSpace, type SpaceFolder } from '../support/space.js'
import { build, createProject, type Project } from './driver.js'
import { drivers } from './drivers/all.js'
import { rolldownDriver } from './drivers/rolldown.js'

// If no file is in use, a build needs only the lockfile.
const main = `import { acmeLogo } from 'content-space:kit/brand'
console.log(JSON.stringify([acmeLogo.name, acmeLogo.src]))
`

const logo = ['Acme Logo', expect.any(String)]

let space: SpaceFolder
let service: ServedSpace
let project: Project
// Rollup and Rolldown always use the working directory as root.
const home = process.cwd()

beforeEach(async () => {
  space = await richSpace()
  service = await serveSpace(space.folder)
  project = await createProject({ 'main.js': main })
  process.chdir(project.root)
})
afterEach(async () => {
  vi.unstubAllEnvs()
  process.chdir(home)
  await service.close()
  await Promise.all([space.remove(), project.remove()])
})

const options = (cache = '.cache') => ({
  ...service.options,
  kits: { brand: brand.uuid },
  cacheDir: join(project.root, cache),
})

describe('in every bundler', () => {
  test('CONTENT_SPACE_OFFLINE=1 builds from the cache without requesting missing files', async () => {
    await build(rolldownDriver, project, options())
    const before = service.requests.length
    vi.stubEnv('CONTENT_SPACE_OFFLINE', '1')
    for (const driver of drivers) {
      expect(await (await build(driver, project, options())).run(), driver.name).toEqual(logo)
      const failure = await build(driver, project, options('.empty')).then(() => 'built', String)
      expect(failure, driver.name).toContain('Run once without `offline`')
    }
    expect(service.requests).toHaveLength(before)
  })

  test('CONTENT_SPACE_FROZEN=1 rejects what would change the lockfile, and an option takes precedence', async () => {
    await build(rolldownDriver, project, options())
    await project.write({ 'main.js': `${main}import { arrowLeft } from 'content-space:kit/icons'\narrowLeft.src\n` })
    vi.stubEnv('CONTENT_SPACE_FROZEN', '1')
    for (const driver of drivers) {
      const failure = await build(driver, project, options()).then(() => 'built', String)
      expect(failure, driver.name).toContain('The lockfile is frozen')
    }
    expect(await (await build(rolldownDriver, project, { ...options(), frozen: false })).run()).toEqual(logo)
  })
})
