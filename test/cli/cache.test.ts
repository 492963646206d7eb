import { appendFile, readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { project, type Project } from '../support/cli.js'
import { serveSpace } from '../support/space.js'

let work: Project

beforeEach(async () => {
  work = await project({
    'space/brand/Logos/logo.svg': '<svg xmlns="http://www.w3.org/2000/svg" width="8" height="8"/>',
    // Pictures in declarations would add another entry.
    'content-space.config.json': '{ "types": { "previews": false } }',
    'main.js': "import { logo } from 'content-space:kit/brand'\nconsole.log(logo.src)\n",
  })
  expect(await work.run('sync', '--space', 'space')).toMatchObject({ code: 0 })
})
afterEach(() => work.remove())

const bytesOf = async (): Promise<string[]> => {
  const store = join(work.root, '.cache/files-v3/content')
  const entries = await readdir(store, { recursive: true, withFileTypes: true })
  return entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name))
}

test('lists, prunes and clears without a space', async () => {
  const listed = await work.run('cache', 'ls')
  expect(listed.stdout).toMatch(
    /^\/.*\/space\n {2}logo {2}original {2}\d+ B {2}today\n\noriginal +1 entry +\d+ B\ntotal +1 entry +\d+ B\n.*\.cache\n$/,
  )
  expect(JSON.parse((await work.run('cache', 'ls', '--json')).stdout)).toMatchObject({
    entries: [{ kind: 'original' }],
    total: { entries: 1 },
  })
  expect((await work.run('cache', 'prune')).stdout).toBe('nothing to remove\n')
  expect((await work.run('cache', 'prune', '--older-than', '0s')).stdout).toMatch(
    /^removed 1 unused entry, freed \d+ B\n$/,
  )
  expect(await bytesOf()).toEqual([])
  expect(JSON.parse((await work.run('cache', 'clear', '--json')).stdout)).toMatchObject({ removed: { entries: 0 } })
  expect(await readdir(join(work.root, '.cache'))).toEqual([])
})

test('verify exits with 1 when an entry is corrupt, and with 0 once it is removed', async () => {
  expect(await work.run('cache', 'verify')).toMatchObject({
    code: 0,
    stdout: 'checked 1 entry: no corrupt entries\n',
  })
  for (const path of await bytesOf()) await appendFile(path, 'x')
  const { code, stdout } = await work.run('cache', 'verify', '--json')
  expect(code).toBe(1)
  expect(JSON.parse(stdout)).toMatchObject({ checked: 1, corrupt: [{ kind: 'original', reason: 'corrupt' }] })
  expect((await work.run('cache', 'verify')).code).toBe(0)
})

test('recognises every file that this package writes to the cache', async () => {
  const server = await serveSpace(join(work.root, 'space'))
  const from = ['--space', server.url, '--space-id', String(server.spaceId), '--token', server.token]
  expect(await work.run('pull', 'brand', '--out', 'files', '--query', 'w=16&format=webp', ...from)).toMatchObject({
    code: 0,
  })
  expect(await work.run('mirror', 'brand', '--out', 'mirror', ...from)).toMatchObject({ code: 0 })
  await server.close()
  expect((await readdir(join(work.root, '.cache'))).length).toBeGreaterThan(2)
  expect(JSON.parse((await work.run('cache', 'ls', '--json')).stdout)).toMatchObject({
    kinds: [
      { kind: 'original' },
      {},
      { entries: 1 },
      { kind: 'snapshot' },
      { kind: 'preview' },
      { kind: 'derived' },
      { kind: 'other', entries: 0 },
    ],
  })
  expect(await work.run('cache', 'clear')).toMatchObject({ code: 0 })
  expect(await readdir(join(work.root, '.cache'))).toEqual([])
})

test('uses the folder of the configuration, and rejects a folder that is not a cache', async () => {
  await work.write({ 'content-space.config.json': '{ "cacheDir": "space" }' })
  const { code, stderr } = await work.run('cache', 'clear')
  expect({ code, stderr }).toEqual({
    code: 1,
    stderr: expect.stringContaining('space contains files that are not part of a cache: brand.'),
  })
  expect(await readFile(join(work.root, 'space/brand/Logos/logo.svg'), 'utf8')).toContain('<svg')
  expect((await work.run('cache', 'ls', '--cache-dir', '.cache', '--json')).stdout).toContain('"original"')
})

test('names assets and kits by their listings, and conversions by their source', async () => {
  const server = await serveSpace(join(work.root, 'space'))
  const from = ['--space', server.url, '--space-id', String(server.spaceId), '--token', server.token]
  expect(await work.run('pull', 'brand', '--out', 'files', '--query', 'w=16&format=webp', ...from)).toMatchObject({
    code: 0,
  })
  await server.close()
  const { stdout } = await work.run('cache', 'ls')
  expect(stdout).toMatch(/^ {2}Logo +webp 16×16 +\d+ B {2}today$/m)
  expect(stdout).toMatch(/^ {2}brand {2}listing of the draft +[\d.]+ k?B {2}today$/m)
  expect(stdout).toContain(`${server.url} (space ${server.spaceId})\n`)
  expect(stdout).not.toMatch(/sha256|[{}]/)
})

test('rejects other actions, ages and flags as wrong usage', async () => {
  expect((await work.run('cache', 'clar')).stderr).toContain('Did you mean clear?')
  expect((await work.run('cache', 'ls', '--token', 'x')).stderr).toBe(
    'error: --token cannot be used with cache, which does not read a space.\n',
  )
  expect((await work.run('cache', 'ls', '--shared')).stderr).toBe(
    'error: --shared can only be used with keygen, not with ls.\n',
  )
  for (const args of [[], ['drop'], ['prune', '--older-than', '30'], ['clear', '--older-than', '1d']]) {
    expect((await work.run('cache', ...args)).code).toBe(2)
  }
})

test('keygen --shared prints one secret', async () => {
  expect((await work.run('cache', 'keygen', '--shared')).stdout).toMatch(/^CONTENT_SPACE_REMOTE_KEY=[\w-]{43}\n$/)
  const { stdout } = await work.run('cache', 'keygen', '--shared', '--json')
  expect(JSON.parse(stdout)).toEqual({ key: expect.stringMatching(/^[\w-]{43}$/) })
})
