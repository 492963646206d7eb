import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { hostileRequests, send } from '../support/kit-browser.js'
import { emittedAssets, readContent, type Content } from './support/content.js'
import { crawl } from './support/crawl.js'
import { closeBrowser, look } from './support/look.js'
import type { Site } from './support/process.js'
import { openProject, type FrameworkProject } from './support/project.js'

let project: FrameworkProject
let content: Content
let site: Site | undefined

beforeAll(async () => {
  project = await openProject('webpack')
  content = await readContent(project.space)
})

// Run one server at a time, because all of them use the same service.
afterEach(() => site?.stop())

afterAll(async () => {
  await closeBrowser()
  await project?.close()
})

const dist = () => emittedAssets(join(project.root, 'dist'), content)

const servers: [name: string, command: (port: number) => readonly [string, ...string[]]][] = [
  ['webpack serve', (port) => ['webpack', 'serve', '--port', `${port}`]],
  ['new WebpackDevServer()', (port) => ['node', 'serve.js', 'webpack', `${port}`]],
  ['webpack-dev-middleware in a server with express', (port) => ['node', 'serve.js', 'express', `${port}`]],
  ['rspack serve', (port) => ['rspack', 'serve', '--port', `${port}`]],
  ['new RspackDevServer()', (port) => ['node', 'serve.js', 'rspack', `${port}`]],
]

test.each(servers)('%s fetches files when the browser requests them', async (name, command) => {
  project.setEnv({ CONTENT_SPACE_CACHE: join(project.root, `cache-${command(0).join('-')}`) })
  project.downloads.length = 0
  site = await project.serve(command)
  await fetch(new URL('/shop/main.js', site.url)).then((response) => response.text())
  expect(project.downloads).toEqual([])
  expect(await picturesOf(site)).toEqual([
    expect.stringMatching(/^\/shop\/__content-space\/\w+\/solvane-logo\.svg$/),
    expect.stringMatching(/^\/shop\/__content-space\/\w+\/coast-at-dawn.*\.webp$/),
  ])
  expect(project.downloads).toHaveLength(2)
  expect(await dist()).toEqual([])
  // The command lines' configuration allows all hosts.
  await checkKitBrowser(new URL('/shop/__content-space/', site.url), name.endsWith(' serve'))
  expect(project.downloads).toHaveLength(2)
})

/** The dev server serves the kit browser before its own listeners and rejects hostile requests. */
async function checkKitBrowser({ origin, host, pathname }: URL, allowsHosts: boolean): Promise<void> {
  const page = await send(origin, pathname)
  expect([page.status, page.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8'])
  const data = await send(origin, `${pathname}data/project.json`, { headers: { 'sec-fetch-site': 'same-origin' } })
  expect(JSON.parse(data.body.toString())).toMatchObject({ mode: 'dev', kits: [{ name: 'Solvane Brand' }] })
  for (const hostile of hostileRequests(host)) {
    if (allowsHosts && hostile.headers?.['sec-fetch-site'] === 'same-origin') continue
    const { status, headers } = await send(origin, pathname + hostile.path, hostile)
    expect(status, hostile.name).toBe(hostile.status)
    expect(headers['access-control-allow-origin'], hostile.name).toBeUndefined()
  }
}

test('webpack-dev-middleware that writes to the disk gets all files in use', async () => {
  site = await project.serve((port) => ['node', 'serve.js', 'disk', `${port}`])
  expect(await picturesOf(site)).toEqual([
    expect.stringMatching(/^\/shop\/media\/solvane-logo/),
    expect.stringMatching(/^\/shop\/media\/coast-at-dawn/),
  ])
  expect(await dist()).toEqual(['coast-at-dawn', 'solvane-logo'])
})

test.each(['webpack', 'rspack'])('a production build of %s ignores traces of a dev server', async (bundler) => {
  // webpack-dev-server sets one of these variables when it is loaded.
  project.setEnv({ WEBPACK_SERVE: 'true', RSPACK_SERVE: 'true', NODE_ENV: 'production' })
  await project.run(bundler, 'build')
  expect(await dist()).toEqual(['coast-at-dawn', 'solvane-logo'])
  site = await project.serve((port) => ['node', 'serve.js', 'production', `${port}`])
  const { files, problems } = await crawl([new URL('/shop/main.js', site.url).href], content)
  expect(problems).toEqual([])
  expect(files).toHaveLength(5)
  expect(await picturesOf(site)).toEqual([
    expect.stringMatching(/^\/shop\/media\/solvane-logo/),
    expect.stringMatching(/^\/shop\/media\/coast-at-dawn/),
  ])
})

test('webpack keeps a cache on disk: it finds all modules that its configuration imports', async () => {
  await project.run('webpack', 'build', '--cache-type', 'filesystem')
  expect(await readdir(join(project.root, 'node_modules/.cache/webpack/default-production'))).not.toEqual([])
})

/** @returns the URLs of the pictures on the page, after checking that they can be decoded */
async function picturesOf({ url }: Site): Promise<string[]> {
  const { pictures, problems } = await look(url)
  expect(problems).toEqual([])
  expect(pictures.map(({ alt, width }) => [alt, width])).toEqual([
    ['Solvane Logo', 636],
    ['Coast At Dawn', 400],
  ])
  return pictures.map(({ src }) => src)
}
