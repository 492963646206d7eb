import fs from 'node:fs'
import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { rspack } from '@rspack/core'
import { context } from 'esbuild'
import HtmlWebpackPlugin from 'html-webpack-plugin'
import contentSpaceRspack from 'unplugin-content-space/rspack'
import contentSpaceWebpack from 'unplugin-content-space/webpack'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { soon } from '../support/long.js'
import { webpack } from 'webpack'
import type { Options } from '../../src/config/options.js'
import { svg, writeSpace, type SpaceFolder } from '../support/space.js'
import { esbuildSettings, startVite } from './development.js'
import { createProject, readTree, type Project } from './driver.js'
import { watchers } from './watchers.js'

const conflict = '<<<<<<< ours\n{}\n=======\n{}\n>>>>>>> theirs\n'
const home = process.cwd()

let space: SpaceFolder
let project: Project

beforeEach(async () => {
  space = await writeSpace({ 'brand/Logos/acme-logo.svg': svg('first') })
  project = await createProject({
    'main.js': "import { acmeLogo } from 'content-space:kit/brand'; console.log(acmeLogo.src)",
    'content-space.lock.json': conflict,
  })
})
afterEach(async () => {
  process.chdir(home)
  await Promise.all([space.remove(), project.remove()])
})

const options = (): Options => ({
  space: space.folder,
  cacheDir: join(project.root, '.cache'),
  lockfile: join(project.root, 'content-space.lock.json'),
  types: false,
  publicPath: '/',
})
const resolveConflict = () => rm(join(project.root, 'content-space.lock.json'))
const drawn = async () =>
  [...(await readTree(join(project.root, 'dist')))]
    .filter(([path]) => path.endsWith('.svg'))
    .map(([, bytes]) => bytes.toString())

const imports = {
  'a name of a kit': "import { acmeLogo } from 'content-space:kit/brand'; console.log(acmeLogo.src)",
  'an asset': "import acmeLogo from 'content-space:asset/brand/acme-logo'; console.log(acmeLogo.src)",
}
for (const [name, watch] of Object.entries(watchers)) {
  // Rspack doesn't resolve an import again after it has failed. The names of a kit are narrowed before they are
  // resolved.
  const possible = Object.entries(imports).filter(([what]) => name !== 'rspack' || what === 'a name of a kit')
  test.each(possible)(
    `${name} builds %s when the conflict in the lockfile is resolved, and follows the content`,
    async (_, main) => {
      await project.write({ 'main.js': main })
      const failures: string[] = []
      const watcher = await watch(
        join(project.root, 'main.js'),
        join(project.root, 'dist'),
        options(),
        (message) => void failures.push(message),
      )
      try {
        await vi.waitFor(() => expect(failures.join()).toContain('merge conflict'), soon)
        // Wait until builds that the first one has started have ended.
        await new Promise((done) => setTimeout(done, 1500))
        await resolveConflict()
        await vi.waitFor(async () => expect(await drawn()).toContain(svg('first')), soon)
        await space.write({ 'brand/Logos/acme-logo.svg': svg('second') })
        await vi.waitFor(async () => expect(await drawn()).toContain(svg('second')), soon)
      } finally {
        process.chdir(home)
        await watcher.close()
      }
    },
  )
}

test('a dev server works when the conflict in the lockfile is resolved, and follows the content', async () => {
  const { server, log, get } = await startVite(project.root, options())
  try {
    const send = vi.spyOn(server.environments.client.hot, 'send')
    expect(await (await get('/main.js')).text()).toContain('merge conflict')
    await resolveConflict()
    await vi.waitFor(() => expect(send).toHaveBeenCalledWith(expect.objectContaining({ type: 'full-reload' })), soon)
    expect((await get('/main.js')).status).toBe(200)
    await space.write({ 'brand/Logos/acme-logo.svg': svg('second') })
    await vi.waitFor(() => expect(log()).toMatch(/1 changed/), soon)
  } finally {
    await server.close()
  }
})

test('a dev server with files of tokens starts with a conflict in the lockfile, and writes them when it is resolved', async () => {
  await space.write({ 'brand/Colours/coral.json': { color: '#E5603F' } })
  const { server, log } = await startVite(project.root, {
    ...options(),
    tokens: [{ kit: 'brand', file: 'tokens.css' }],
  })
  try {
    await vi.waitFor(() => expect(log()).toContain('merge conflict'), soon)
    await resolveConflict()
    const css = () => readFile(join(project.root, 'tokens.css'), 'utf8')
    await vi.waitFor(async () => expect(await css()).toContain('--brand-coral: #e5603f'), soon)
  } finally {
    await server.close()
  }
})

/** A file system that isn't this machine's disk, like a dev server's memory. */
const memory = {
  ...fs,
  stat: (path: string, done: (error: Error | null, stats?: fs.Stats) => void) =>
    path === process.execPath ? done(new Error('ENOENT')) : fs.stat(path, done),
}

const compilers = {
  webpack: (settings: object) =>
    webpack({
      ...settings,
      plugins: [new HtmlWebpackPlugin({ template: 'index.html' }), contentSpaceWebpack(options())],
    }),
  rspack: (settings: object) =>
    rspack({
      ...settings,
      plugins: [new rspack.HtmlRspackPlugin({ template: 'index.html' }), contentSpaceRspack(options())],
    }),
}

test.each(Object.entries(compilers))(
  'a dev server of %s keeps a page whose id fails, for its overlay',
  async (_, create) => {
    await resolveConflict()
    await project.write({ 'main.js': '', 'index.html': '<img src="content-space:asset/brand/badge">' })
    const output = { path: join(project.root, 'dist'), publicPath: '/' }
    const settings = { context: project.root, entry: './main.js', mode: 'development', devtool: false, output }
    const compiler: Pick<ReturnType<typeof webpack>, 'watch' | 'close' | 'outputFileSystem'> = Object(create(settings))
    compiler.outputFileSystem = Object(memory)
    const errors: string[] = []
    compiler.watch(
      { aggregateTimeout: 50 },
      (_error, stats) => void errors.push(String(stats?.toString({ all: false, errors: true }))),
    )
    const page = () => readFile(join(output.path, 'index.html'), 'utf8')
    try {
      await vi.waitFor(() => expect(errors.at(-1)).toContain('There is no asset badge'), soon)
      expect(await page()).toContain('<script defer')
      await space.write({ 'brand/Logos/badge.svg': svg('badge') })
      await vi.waitFor(async () => expect(await page()).toContain('src="/__content-space/'), soon)
      await vi.waitFor(() => expect(errors.at(-1)).not.toContain('There is no asset badge'), soon)
    } finally {
      await new Promise((done) => compiler.close(done))
    }
  },
)

test('each rebuild of an esbuild context tries again', async () => {
  const building = await context(esbuildSettings(project.root, options()))
  try {
    for (let attempt = 0; attempt < 2; attempt++) await expect(building.rebuild()).rejects.toThrow(/merge conflict/)
    await resolveConflict()
    await building.rebuild()
    expect(await drawn()).toEqual([svg('first')])
  } finally {
    await building.dispose()
  }
})

test('a rebuild of an esbuild context writes files of tokens after a failure', async () => {
  await space.write({ 'brand/Colours/coral.json': { type: 'COLOR', meta: { hex: '#E5603F' } } })
  await resolveConflict()
  await project.write({ 'main.js': "import './tokens.css'", 'tokens.css': ':root {}' })
  const tokens = [{ kit: 'brand', file: 'tokens.css' }]
  const building = await context(esbuildSettings(project.root, { ...options(), tokens }))
  try {
    await expect(building.rebuild()).rejects.toThrow(/tokens\.css was not written by content-space/)
    await rm(join(project.root, 'tokens.css'))
    await building.rebuild()
    expect(await readFile(join(project.root, 'dist/main.css'), 'utf8')).toMatch(/--brand-coral: #e5603f/)
  } finally {
    await building.dispose()
  }
})
