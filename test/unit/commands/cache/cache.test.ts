import { mkdir, mkdtemp, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { clearCache, listCache, pruneCache, verifyCache } from '../../../../src/commands/cache/run.js'
import { readEntries } from '../../../../src/commands/cache/entries.js'
import { contentOf, readContent } from '../../../../src/disk/content.js'
import { openStore, type Store } from '../../../../src/files/store.js'

const day = 86_400_000
const never = 1000 * day
let cacheDir: string
let store: Store

beforeEach(async () => {
  cacheDir = await mkdtemp(join(tmpdir(), 'content-space-cache-'))
  store = openStore(cacheDir, (message) => expect.fail(message))
})
afterEach(() => rm(cacheDir, { recursive: true, force: true }))

const original = (asset: string) => `file\nhttps://host/ 7\n${asset}\nhash\noriginal`
const put = (key: string, text: string) => store.put(key, Buffer.from(text))
const kept = async (key: string) => (await store.peek(key))?.bytes.toString()

/** Changes the bytes of a key on disk. */
async function withContent(key: string, change: (path: string) => Promise<void>): Promise<void> {
  const entry = readEntries(cacheDir).find((one) => one.key === key)
  await change(entry?.path ?? '')
}

test('counts entries by kind, and counts shared content once', async () => {
  await put(original('A'), 'same')
  await put(original('B'), 'same')
  await put('file\nhttps://host/ 7\nA\nhash\nPNG', 'a cut')
  await put('made\nsha256-x\nw=640\nsharp 1', 'made')
  await put('kit-v6\nhttps://host/ 7\nK\n3', '{}')
  const { entries, kinds, total } = await listCache(cacheDir)
  expect(entries.map(({ kind, of, detail, space }) => [kind, of, detail, space])).toEqual([
    ['original', 'A', undefined, 'https://host/ 7'],
    ['original', 'B', undefined, 'https://host/ 7'],
    ['cut', 'A', 'PNG', 'https://host/ 7'],
    ['conversion', 'sha256-x', 'w=640', undefined],
    ['snapshot', 'K', '3', 'https://host/ 7'],
  ])
  expect(kinds[0]).toEqual({ kind: 'original', entries: 2, size: 4 })
  expect(total).toEqual({ entries: 5, size: 4 + 5 + 4 + 2 })
})

test('prunes by last use, and keeps content that another entry shares', async () => {
  await put(original('A'), 'old')
  await put(original('B'), 'new')
  await withContent(original('A'), (path) =>
    utimes(path, new Date(Date.now() - 40 * day), new Date(Date.now() - 40 * day)),
  )
  expect((await pruneCache(cacheDir, 30 * day)).removed).toEqual({ entries: 1, size: 3 })
  expect([await kept(original('A')), await kept(original('B'))]).toEqual([undefined, 'new'])
  await put(original('C'), 'new')
  expect((await pruneCache(cacheDir, never)).removed).toEqual({ entries: 0, size: 0 })
  expect(await kept(original('B'))).toBe('new')
})

test('prunes content that no entry names, and files of ended processes', async () => {
  await put(original('A'), 'a')
  const loose = join(cacheDir, 'files-v3/content/00/loose')
  const [dead, alive] = ['dead', 'alive'].map((name) => join(cacheDir, 'files-v3/tmp', name))
  await mkdir(join(loose, '..'), { recursive: true })
  for (const path of [loose, dead, alive]) await writeFile(path ?? '', 'left')
  await utimes(dead ?? '', 1, 1)
  expect((await pruneCache(cacheDir, never)).removed).toEqual({ entries: 0, size: 8 })
  expect(await readdir(join(cacheDir, 'files-v3/tmp'))).toContain('alive')
  await expect(readFile(loose)).rejects.toThrow('ENOENT')
  expect(await kept(original('A'))).toBe('a')
})

test('prunes the store of another version by last use', async () => {
  await put(original('A'), 'a')
  const [used, unused] = ['used', 'unused'].map((name) => join(cacheDir, 'files-v1/content-v2', name))
  await mkdir(join(cacheDir, 'files-v1/content-v2'), { recursive: true })
  for (const path of [used, unused]) await writeFile(path ?? '', 'left')
  await utimes(unused ?? '', 1, 1)
  expect((await pruneCache(cacheDir, 30 * day)).removed).toEqual({ entries: 0, size: 4 })
  expect(await readdir(join(cacheDir, 'files-v1/content-v2'))).toEqual(['used'])
  expect(await kept(original('A'))).toBe('a')
})

test('verifies every entry: removes corrupt, truncated or missing content, which can be stored again', async () => {
  for (const asset of ['A', 'B', 'C', 'D']) await put(original(asset), `bytes of ${asset}`)
  await withContent(original('A'), (path) => writeFile(path, 'bytes of X'))
  await withContent(original('B'), (path) => writeFile(path, ''))
  await withContent(original('C'), (path) => rm(path))
  const check = await verifyCache(cacheDir)
  expect(check.corrupt.map(({ of, reason }) => [of, reason])).toEqual([
    ['A', 'corrupt'],
    ['B', 'corrupt'],
    ['C', 'missing'],
  ])
  expect(check).toMatchObject({ checked: 4, removed: { entries: 3 } })
  expect(await verifyCache(cacheDir)).toMatchObject({ checked: 1, corrupt: [] })
  expect(JSON.stringify(check)).not.toContain(cacheDir.concat('/files'))
  await put(original('A'), 'bytes of A')
  expect([await kept(original('A')), await kept(original('D'))]).toEqual(['bytes of A', 'bytes of D'])
})

test('clears a cache folder, and rejects a folder that contains foreign files', async () => {
  await put(original('A'), 'a')
  await mkdir(join(cacheDir, 'rate'))
  await writeFile(join(cacheDir, 'thesis.txt'), 'years of work')
  await expect(clearCache(cacheDir)).rejects.toMatchObject({
    code: 'invalidOption',
    message: expect.stringContaining('thesis.txt'),
  })
  expect(await kept(original('A'))).toBe('a')
  await rm(join(cacheDir, 'thesis.txt'))
  expect(await clearCache(cacheDir)).toEqual({ cacheDir, removed: { entries: 1, size: 1 } })
  expect(await readdir(cacheDir)).toEqual([])
  expect(await clearCache(join(cacheDir, 'nowhere'))).toMatchObject({ removed: { entries: 0 } })
})

test('concurrent readers always get the right bytes', async () => {
  const keys = Array.from({ length: 20 }, (_, index) => original(String(index)))
  const done = new AbortController()
  const read = async (key: string): Promise<void> => {
    while (!done.signal.aborted) {
      const opened = openStore(cacheDir, () => {})
      const bytes = await opened.use({ key }, async () => contentOf(Buffer.from(key)), readContent)
      expect(bytes.toString()).toBe(key)
    }
  }
  const readers = keys.map(read)
  for (let round = 0; round < 5; round++) {
    await pruneCache(cacheDir, 0)
    await verifyCache(cacheDir)
    await clearCache(cacheDir)
  }
  done.abort()
  await Promise.all(readers)
})
