import { access, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import contentSpace from 'unplugin-content-space/vite'
import { build, createServer, type InlineConfig } from 'vite'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { soon } from '../support/long.js'
import { project, type Project } from '../support/cli.js'
import { readTree } from './driver.js'
import { drawing, kits, openTestSpace, type TestSpace } from './space.js'

let space: TestSpace
let work: Project

beforeAll(async () => void (space = await openTestSpace()))
afterAll(() => space.close())
beforeEach(async () => {
  const { space: url, spaceId, token } = space.options()
  work = await project(
    {
      'package.json': '{ "type": "module" }',
      'content-space.config.json': JSON.stringify({ kits: { brand: kits.brand }, refresh: 0.2 }),
      '.env': `CONTENT_SPACE_URL=${url}\nCONTENT_SPACE_ID=${spaceId}\nCONTENT_SPACE_TOKEN=${token}\n`,
      'app/index.html': '<!doctype html><script type="module" src="/main.js"></script>',
      'app/main.js': `import { acmeLogo } from 'content-space:kit/brand'\nconsole.log(acmeLogo.src)\n`,
      'shared/pictures.js': `export { default } from 'content-space:asset/brand/acme-logo?url'\n`,
    },
    { CI: '' },
  )
})
afterEach(() => work.remove())

/** A configuration whose root is a subfolder of the project. */
const config = (): InlineConfig => ({
  root: join(work.root, 'app'),
  configFile: false,
  logLevel: 'silent',
  plugins: [contentSpace({ cacheDir: '.cache' })],
  build: { outDir: '../dist' },
})

test('a build whose root is a subfolder uses and writes the same files as the command line', async () => {
  await build(config())
  const files = [...(await readTree(work.root)).keys()].filter((path) => !/^(?:\.cache|dist)\//.test(path))
  expect(files).toEqual([
    '.env',
    'app/index.html',
    'app/main.js',
    'content-space.config.json',
    'content-space.d.ts',
    'content-space.lock.json',
    'package.json',
    'shared/pictures.js',
  ])
  expect(await readFile(join(work.root, 'content-space.d.ts'), 'utf8')).toContain('acme-logo?url')
  for (const folder of ['.', 'app', 'shared'])
    expect(await work.runIn(folder, 'verify')).toMatchObject({ code: 0, stderr: '' })
})

test('the command line writes to the project, and to paths of flags from the working directory', async () => {
  expect(await work.runIn('app', 'sync')).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('wrote content-space.lock.json, content-space.d.ts'),
  })
  expect(await work.runIn('app', 'pull', 'brand', '--out', 'pulled', '--asset', 'acme-logo')).toMatchObject({ code: 0 })
  await access(join(work.root, 'app/pulled/index.js'))
  expect(await work.runIn('app', 'mirror', 'brand', '--out', 'mirrored')).toMatchObject({ code: 0 })
  expect(await work.runIn('app', 'ls', '--space', 'mirrored')).toMatchObject({ code: 0 })
})

test('init in a subfolder keeps the configuration of the project', async () => {
  expect(await work.runIn('app', 'init')).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('kept content-space.config.json'),
  })
  expect([...(await readTree(join(work.root, 'app'))).keys()]).toEqual(['index.html', 'main.js'])
})

test('a dev server whose root is a subfolder notices new content', async () => {
  const server = await createServer({ ...config(), server: { host: '127.0.0.1', port: 0 } })
  try {
    await server.listen()
    const get = async (path: string) => (await fetch(new URL(path, server.resolvedUrls?.local[0]))).text()
    await get(/from "([^"]*content-space[^"]*)"/.exec(await get('/main.js'))?.[1] ?? '')
    await access(join(work.root, '.content-space/changes.json'))
    const send = vi.spyOn(server.environments.client.hot, 'send')
    await space.edit('01 Logos/acme-logo.svg', drawing('Acme anew'))
    await vi.waitFor(() => expect(send).toHaveBeenCalled(), soon)
  } finally {
    await server.close()
  }
  expect([...(await readTree(join(work.root, 'app'))).keys()]).toEqual(['index.html', 'main.js'])
})
