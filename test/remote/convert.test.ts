import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import sharp from 'sharp'
import { expect, onTestFinished, test } from 'vitest'
import { build, createProject, type Driver } from '../bundlers/driver.js'
import { esbuildDriver } from '../bundlers/drivers/esbuild.js'
import { viteDriver } from '../bundlers/drivers/vite.js'
import { project, type Project } from '../support/cli.js'
import { serveSpace, svg, writeSpace } from '../support/space.js'
import { key } from './support/runner.js'
import { start } from './support/setup.js'

const noise = { type: 'gaussian', mean: 128, sigma: 40 } as const
const photo = await sharp({ create: { width: 300, height: 200, channels: 3, background: '#888', noise } })
  .jpeg()
  .toBuffer()

const sources = {
  'content-space.config.json': JSON.stringify({ presets: { small: 'w=20&format=webp' } }),
  'index.html':
    '<img src="content-space:asset/brand/hero?w=28&format=avif"><script type="module" src="./main.js"></script>',
  'style.css': 'a { background: url(content-space:asset/brand/hero?w=24&format=webp) }',
  'main.js': `
    import './style.css'
    import hero from 'content-space:asset/brand/hero?w=16;32&format=avif;webp&placeholder=blur'
    import { photos } from './photos.js'
    import pair from 'content-space:asset/brand/logo?dark=logo-dark&svgo'
    import text from 'content-space:asset/brand/logo?as=raw'
    import unsafe from 'content-space:asset/brand/unsafe'
    import icons from 'content-space:app-icons/brand/logo'
    console.log(JSON.stringify([hero, photos, pair, text, unsafe, icons]))`,
  'photos.js': `import { hero } from 'content-space:section/brand/photos?preset=small'\nexport const photos = [hero]`,
}

async function serve() {
  const files = {
    'Photos/hero.jpg': photo,
    'Logos/logo.svg': svg('logo'),
    'Logos/logo-dark.svg': svg('dark'),
    'Logos/unsafe.svg': svg('unsafe').replace('</svg>', '<script>alert(1)</script></svg>'),
  }
  const version = Object.entries(files).map(([path, bytes]) => [`brand/versions/1/${path}`, bytes])
  const space = await writeSpace({
    'space.json': { space_id: 7 },
    'brand/kit.json': { name: 'Brand', use_version: 1, versions: [{ version: 1, folder: 'versions/1' }] },
    ...Object.fromEntries(version),
  })
  const service = await serveSpace(space.folder, { rateLimit: false })
  onTestFinished(async () => {
    await service.close()
    await space.remove()
  })
  return service
}

type Service = Awaited<ReturnType<typeof serve>>

/** A machine of the update bot. */
async function botOf({ url, spaceId, token }: Service, env: Record<string, string>): Promise<Project> {
  const service = { CONTENT_SPACE_URL: url, CONTENT_SPACE_ID: String(spaceId), CONTENT_SPACE_TOKEN: token }
  const made = await project(sources, { ...service, CONTENT_SPACE_REMOTE_KEY: key, ...env })
  onTestFinished(() => made.remove())
  return made
}

/** Builds the project on a machine whose cache is empty. @returns the line with the totals */
async function buildElsewhere(driver: Driver, bot: Project, { options }: Service, remote = {}): Promise<string> {
  const lock = await readFile(join(bot.root, 'content-space.lock.json'), 'utf8')
  const machine = await createProject({ ...sources, 'content-space.lock.json': lock })
  onTestFinished(() => machine.remove())
  const entries = [driver === viteDriver ? 'index.html' : 'main.js']
  const own = { ...options, ...remote, cacheDir: join(machine.root, '.cache') }
  const { log } = await build(driver, machine, own, { entries })
  return /content-space: .*(?:downloaded|remote).*/.exec(log)?.[0] ?? log
}

test.each(['redis', 's3'] as const)(
  'after sync --convert with %s, builds on new machines convert nothing',
  async (name) => {
    const service = await serve()
    const { remote } = await start(name)
    const aws = Object.entries(process.env).filter(([variable]) => variable.startsWith('AWS_'))
    const env = { ...Object.fromEntries(aws.map(([one, value = '']) => [one, value])), CONTENT_SPACE_REMOTE: remote }
    const bot = await botOf(service, { ...env, CONTENT_SPACE_REMOTE_WRITE: '1' })
    const { code, stdout, stderr } = await bot.run('sync', '--convert')
    expect({ code, stderr }).toEqual({ code: 0, stderr: expect.not.stringContaining('local cache only') })
    const [, conversions] = /^(\d+) conversions$/m.exec(stdout) ?? []
    // The build makes exactly the same.
    expect(await buildElsewhere(viteDriver, bot, service)).toMatch(new RegExp(` ${conversions} converted$`))
    expect((await bot.run('sync', '--convert')).stdout).toContain('nothing to convert\n')
    const asked = service.requests.length
    for (const driver of [viteDriver, esbuildDriver]) {
      const summary = await buildElsewhere(driver, bot, service, { remote, remoteKey: key })
      expect(summary).toMatch(/ 0 downloaded$/)
    }
    expect(service.requests.length).toBe(asked)
  },
)

test.each([
  ['remoteWrite', {}],
  ['remoteKey', { CONTENT_SPACE_REMOTE_WRITE: '1', CONTENT_SPACE_REMOTE_KEY: '' }],
])('sync --convert says that the remote cache gets nothing without %s', async (option, env) => {
  const { remote } = await start('redis')
  const bot = await botOf(await serve(), { CONTENT_SPACE_REMOTE: remote, ...env })
  const { code, stderr } = await bot.run('sync', '--convert')
  expect({ code, stderr }).toMatchObject({
    code: 0,
    stderr: expect.stringContaining(`in the local cache only, because option ${option} is not set`),
  })
})
