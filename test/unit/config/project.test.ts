import { lchown, mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { requireOwner } from '../../../src/config/project.js'
import { resolveCacheDir, resolveOptions } from '../../../src/config/resolve.js'
import type { Host, Options } from '../../../src/config/options.js'

let top: string

beforeEach(async () => {
  top = await realpath(await mkdtemp(join(tmpdir(), 'content-space-project-')))
})
afterEach(() => rm(top, { recursive: true, force: true }))

async function write(files: Record<string, string>): Promise<void> {
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(top, path)), { recursive: true })
    await writeFile(join(top, path), text)
  }
}
const hostIn = (folder: string, host: Partial<Host> = {}): Host => ({
  root: join(top, folder),
  mode: 'production',
  env: {},
  ...host,
})
const resolveIn = (folder: string, options: Options = {}, host: Partial<Host> = {}) =>
  resolveOptions(options, hostIn(folder, host))
const credentialsIn = async (folder: string, host: Partial<Host> = {}) => {
  const { space } = await resolveIn(folder, {}, host)
  return 'credentials' in space ? space.credentials.header() : undefined
}
const header = (id: string, secret: string) => `Basic ${btoa(`${id}:${secret}`)}`
const config = JSON.stringify({ space: 'space', cacheDir: 'cache' })

describe('a configuration file above the root of the bundler', () => {
  test('is found in the folder of the package, and all files belong to its folder', async () => {
    await write({ 'package.json': '{}', 'content-space.config.json': config, 'src/app/main.ts': '' })
    expect(await resolveIn('src/app')).toMatchObject({
      root: top,
      space: { folder: join(top, 'space') },
      lockfile: join(top, 'content-space.lock.json'),
      types: join(top, 'src/content-space.d.ts'),
      cacheDir: join(top, 'cache'),
    })
    expect(await resolveCacheDir({}, hostIn('src/app'))).toMatchObject({ cacheDir: join(top, 'cache') })
  })

  test('is found between the root and the package', async () => {
    await write({
      'package.json': '{}',
      'sites/docs/.vitepress/theme.ts': '',
      'sites/content-space.config.json': config,
    })
    expect((await resolveIn('sites/docs')).root).toBe(join(top, 'sites'))
  })

  test('is overridden by a nearer one, and by another one in its folder, with a warning', async () => {
    await write({ 'package.json': '{}', 'content-space.config.json': config, 'app/content-space.config.json': config })
    expect(await resolveIn('app')).toMatchObject({ root: join(top, 'app'), warnings: [] })
    await write({ 'app/content-space.config.mjs': `export default ${config}` })
    expect((await resolveIn('app')).warnings).toEqual([
      'content-space.config.mjs is the configuration, so content-space.config.json in the same folder is not read.',
    ])
  })

  test.each([
    ['package.json', '{ "workspaces": ["packages/*"] }'],
    ['pnpm-workspace.yaml', 'packages: [packages/*]'],
  ])('is found at the root of the workspace, by its %s', async (name, text) => {
    await write({ [name]: text, 'content-space.config.json': config, 'packages/site/package.json': '{}' })
    expect((await resolveIn('packages/site')).root).toBe(top)
  })

  test('is not searched above the package', async () => {
    await write({ 'package.json': '{}', 'content-space.config.json': config, 'other/package.json': '{}' })
    expect((await resolveIn('other', { space: 'space' })).root).toBe(join(top, 'other'))
  })

  test('is not searched above the root in a folder without a package', async () => {
    await write({ 'content-space.config.json': config, 'app/main.ts': '' })
    expect((await resolveIn('app', { space: 'space' })).root).toBe(join(top, 'app'))
  })

  test('can be named, and all files belong to its folder', async () => {
    await write({ 'package.json': '{}', 'config/content.json': config, 'app/main.ts': '' })
    expect((await resolveIn('app', {}, { config: '../config/content.json' })).root).toBe(join(top, 'config'))
  })
})

describe('without a configuration file', () => {
  test('files and paths belong to the root of the bundler', async () => {
    await write({ 'package.json': '{}', 'docs/index.md': '' })
    expect(await resolveIn('docs', { space: 'space' })).toMatchObject({
      root: join(top, 'docs'),
      space: { folder: join(top, 'docs/space') },
      lockfile: join(top, 'docs/content-space.lock.json'),
    })
  })

  test('the error about a missing space names the folders that were searched', async () => {
    await write({ 'package.json': '{}', 'docs/deep/index.md': '' })
    const error: unknown = await resolveIn('docs/deep').catch((reason: unknown) => reason)
    expect(error).toMatchObject({
      code: 'invalidOption',
      summary: [
        'Option space is missing. No content-space.config.* was found in:',
        ...[join(top, 'docs/deep'), join(top, 'docs'), top].map((folder) => `  ${folder}`),
      ].join('\n'),
      hint: expect.stringContaining('CONTENT_SPACE_URL'),
    })
  })
})

test('a configuration file without a space is named in the error', async () => {
  await write({ 'package.json': '{}', 'content-space.config.json': '{}', 'app/main.ts': '' })
  await expect(resolveIn('app')).rejects.toThrow(join(top, 'content-space.config.json'))
})

test('a configuration file that is a broken link is an error', async () => {
  await write({ 'package.json': '{}', 'app/main.ts': '' })
  await symlink('nowhere.json', join(top, 'content-space.config.json'))
  await expect(resolveIn('app')).rejects.toThrow(`${join(top, 'content-space.config.json')} is a broken symbolic link.`)
})

describe('.env files', () => {
  beforeEach(() =>
    write({
      'package.json': '{}',
      'content-space.config.json': '{ "space": "https://space.example" }',
      '.env': 'CONTENT_SPACE_ID=1\nCONTENT_SPACE_TOKEN=beside-config',
      'app/.env': 'CONTENT_SPACE_TOKEN=in-root',
      'env/.env': 'CONTENT_SPACE_TOKEN=in-env-dir',
    }),
  )

  test('are read beside the configuration file and, with precedence, in the root of the bundler', async () => {
    expect(await credentialsIn('app')).toBe(header('1', 'in-root'))
  })

  test('are read in envDir in place of the root', async () => {
    expect(await credentialsIn('app', { envDir: join(top, 'env') })).toBe(header('1', 'in-env-dir'))
  })

  test('are not read when envDir is false', async () => {
    const env = { CONTENT_SPACE_ID: '2', CONTENT_SPACE_TOKEN: 'of-process' }
    expect(await credentialsIn('app', { envDir: false, env })).toBe(header('2', 'of-process'))
  })
})

/** Only root may give files to other users, and Windows doesn't have file owners in this sense. */
describe.runIf(process.geteuid?.() === 0)('a file of another user', () => {
  const other = 4321
  const foreign = (files: Record<string, string>) => write({ ...workspace, ...files })
  const workspace = { 'package.json': '{ "workspaces": ["*"] }', 'site/package.json': '{}' }
  const give = (path: string, user = other) => lchown(join(top, path), user, user)
  const evil = "globalThis.ran = true; export default { space: 'space' }"
  const refusal = (path: string) => ({
    code: 'invalidOption',
    message: expect.stringContaining(`${join(top, path)} belongs to user ${other}`),
  })

  test.each([
    'content-space.config.js',
    'site/content-space.config.mjs',
    'content-space.config.json',
    '.env',
    'site/.env.local',
  ])('is rejected at %s, and does not run', async (path) => {
    await foreign({ 'content-space.config.json': config, [path]: evil })
    if (path !== 'content-space.config.json' && path.endsWith('js')) await rm(join(top, 'content-space.config.json'))
    await give(path)
    await expect(resolveIn('site')).rejects.toMatchObject(refusal(path))
    await expect(resolveCacheDir({}, hostIn('site'))).rejects.toMatchObject(refusal(path))
    expect(globalThis).not.toHaveProperty('ran')
    await give(path, 0)
    await rm(join(top, path))
  })

  test('is rejected behind a link, and if the link belongs to another user', async () => {
    await foreign({ 'mine.json': config })
    await symlink('mine.json', join(top, 'content-space.config.json'))
    await resolveIn('site')
    await give('content-space.config.json')
    await expect(resolveIn('site')).rejects.toMatchObject(refusal('content-space.config.json'))
    await give('content-space.config.json', 0)
    await give('mine.json')
    await expect(resolveIn('site')).rejects.toMatchObject(refusal('content-space.config.json'))
  })

  test("is read if the build's folder belongs to the same user, as in a container", async () => {
    await foreign({ 'content-space.config.json': config, '.env': 'CONTENT_SPACE_CACHE=other', 'site/.env': '' })
    for (const path of ['content-space.config.json', '.env', 'site', 'site/.env']) await give(path)
    expect((await resolveIn('site')).root).toBe(top)
    await give('.env', other + 1)
    await expect(resolveIn('site')).rejects.toMatchObject({ code: 'invalidOption' })
  })

  test('is read if it was named', async () => {
    await foreign({ 'content-space.config.json': config, '.env': '' })
    for (const path of ['content-space.config.json', '.env']) await give(path)
    const named = '../content-space.config.json'
    expect((await resolveIn('site', {}, { config: named })).root).toBe(top)
    const env = { CONTENT_SPACE_CONFIG: named }
    expect((await resolveIn('site', {}, { env })).root).toBe(top)
  })
})

test('a file belongs to another user unless it is this one, root, or the owner of what was chosen', async () => {
  await write({ 'mine.json': '' })
  const file = join(top, 'mine.json')
  const user = 4321
  const own = process.geteuid?.()
  requireOwner(file, { chosen: [top] })
  requireOwner(file, { chosen: [top], user })
  const check = () => requireOwner(file, { chosen: [], user })
  // Root is always trusted, and Windows isn't checked.
  if (own === undefined || own === 0) check()
  else expect(check).toThrow(`belongs to user ${own}`)
})
