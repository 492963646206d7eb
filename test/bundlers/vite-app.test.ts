import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import contentSpace from 'unplugin-content-space/vite'
import { createBuilder, createLogger, type InlineConfig, type ViteBuilder } from 'vite'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { createProject, readTree, type Project } from './driver.js'
import { kits, openTestSpace, type TestSpace } from './space.js'

const repository = fileURLToPath(new URL('../..', import.meta.url))

let space: TestSpace
let project: Project
beforeAll(async () => void (space = await openTestSpace()))
afterAll(() => space.close())
beforeEach(async () => {
  const brand = `content-space:kit/${kits.brand}`
  project = await createProject({
    'client.js': `import { acmeLogo } from '${brand}'; globalThis.shown = acmeLogo.src`,
    'other.js': `import { heroPhoto } from '${brand}'; globalThis.shown = heroPhoto.src`,
    'server.js': `export { acmeLogo, heroPhoto } from '${brand}'`,
  })
})
afterEach(() => project.remove())

/** Opens an application with two environments, as frameworks configure it. */
async function open(
  config: InlineConfig = {},
  isLegacy: boolean | null = false,
): Promise<{ builder: ViteBuilder; log: string[] }> {
  const log: string[] = []
  const add = (message: string): void => void log.push(message)
  const inline: InlineConfig = {
    root: project.root,
    configFile: false,
    base: '/app/',
    customLogger: { ...createLogger('silent'), info: add, warn: add },
    plugins: [contentSpace({ ...space.options(), types: false })],
    environments: {
      client: { build: { outDir: 'dist/client', rolldownOptions: { input: 'client.js' } } },
      ssr: { build: { outDir: 'dist/server', rolldownOptions: { input: 'server.js' } } },
    },
    ...config,
  }
  return { builder: await createBuilder(inline, isLegacy), log }
}

const both = (builder: ViteBuilder) =>
  Object.values(builder.environments).map((environment) => () => builder.build(environment))

async function buildTogether(builder: ViteBuilder): Promise<void> {
  await Promise.all(both(builder).map((build) => build()))
}

async function buildInTurn(builder: ViteBuilder): Promise<void> {
  for (const build of both(builder)) await build()
}

const summary = (log: string[]): string[] => log.filter((line) => line.startsWith('content-space:'))

test('environments that are built at the same time have one summary', async () => {
  const { builder, log } = await open({ builder: { buildApp: buildTogether } })
  await builder.buildApp()
  expect(summary(log)).toEqual([expect.stringContaining('2 files from ')])
  expect(existsSync(join(project.root, 'content-space.lock.json'))).toBe(true)
})

test.each(['client', 'ssr'])('files that only the server uses are written for the client, after %s', async (last) => {
  const buildApp = async (builder: ViteBuilder) => {
    const [client, ssr] = both(builder)
    for (const build of last === 'ssr' ? [client, ssr] : [ssr, client]) await build?.()
  }
  const { builder } = await open({ builder: { buildApp } })
  await builder.buildApp()
  const output = await readTree(join(project.root, 'dist'))
  const pictures = [...output.keys()].filter((file) => /\.(?:svg|jpg)$/.test(file))
  expect(pictures).toEqual([
    expect.stringMatching(/^client\/assets\/acme-logo-[\w-]+\.svg$/),
    expect.stringMatching(/^client\/assets\/hero-photo-[\w-]+\.jpg$/),
  ])
  const addresses = output
    .get('server/server.js')
    ?.toString()
    .match(/(?<="\/app\/)assets\/[^"]+/g)
  expect(addresses?.map((address) => `client/${address}`)).toEqual(pictures)
})

test('an environment that is built on its own has a summary', async () => {
  const { builder, log } = await open({ builder: {} })
  for (const build of both(builder)) await build()
  expect(summary(log)).toHaveLength(2)
})

test('a build as on the command line has a summary', async () => {
  const build = { rolldownOptions: { input: 'client.js' } }
  const { builder, log } = await open({ build, environments: {} }, null)
  await builder.buildApp()
  expect(summary(log)).toEqual([expect.stringContaining('1 file from ')])
  expect(existsSync(join(project.root, 'content-space.lock.json'))).toBe(true)
})

test('ids in pages are found at the end, even if no module contains an id', async () => {
  await project.write({ 'client.js': 'console.log(1)', 'server.js': 'console.log(2)' })
  const about = `<p>content-space:asset/${kits.brand}/acme-logo</p>`
  const render = () => project.write({ 'dist/client/about.html': about })
  const buildApp = (app: ViteBuilder): Promise<void> => buildTogether(app).then(render)
  const { builder, log } = await open({ builder: { buildApp } })
  await builder.buildApp()
  expect(log.join('\n')).toContain(`dist/client/about.html:1 content-space:asset/${kits.brand}/acme-logo`)
})

test('an application whose second environment imports the first content has one summary', async () => {
  await project.write({ 'client.js': 'console.log(1)' })
  const { builder, log } = await open({ builder: { buildApp: buildInTurn } })
  await builder.buildApp()
  expect(summary(log)).toEqual([expect.stringContaining('2 files from ')])
  expect([...(await readTree(join(project.root, 'dist/client/assets'))).keys()]).toHaveLength(2 + 1)
})

const several = `
  import contentSpace from 'unplugin-content-space/vite'
  import { build } from 'vite'
  const { root, options, name } = JSON.parse(process.argv[1])
  for (const input of ['client.js', 'other.js']) {
    const plugins = [{ name }, contentSpace(options)]
    const outDir = 'dist/' + input
    await build({ root, configFile: false, logLevel: 'info', plugins, build: { outDir, rolldownOptions: { input } } })
  }
  console.log('end')
`

test('builds that a framework runs one after the other have one summary, at the end', async () => {
  const names = ['vite:electron-renderer', 'vite-plugin-sveltekit-guard', 'react-router', 'other']
  const summaries = names.map(async (name) => {
    const options = { ...space.options(), types: false, lockfile: join(project.root, `${name}.lock.json`) }
    const args = ['--input-type=module', '--eval', several, JSON.stringify({ root: project.root, options, name })]
    const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: repository })
    return stdout.match(/^(?:content-space: \d|end).*/gm)
  })
  const together = ['end', expect.stringMatching(/: 2 files from Brand .*; 2 downloaded/)]
  const apart = [expect.stringContaining(': 1 file '), expect.stringContaining(': 1 file '), 'end']
  expect(await Promise.all(summaries)).toEqual([together, together, together, apart])
})
