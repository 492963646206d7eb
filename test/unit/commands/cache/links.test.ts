import { mkdir, mkdtemp, readdir, readFile, rename, rm, symlink, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { Readable } from 'node:stream'
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { clearCache, listCache, pruneCache, verifyCache } from '../../../../src/commands/cache/run.js'
import { withFolderLock } from '../../../../src/disk/folder-lock.js'
import { contentOf } from '../../../../src/disk/content.js'
import { openStore } from '../../../../src/files/store.js'
import { createLimiter } from '../../../../src/space/http/rate-limit.js'

let top: string
let cacheDir: string
let outside: string

beforeEach(async () => {
  top = await mkdtemp(join(tmpdir(), 'content-space-links-'))
  cacheDir = join(top, 'cache')
  outside = join(top, 'outside')
  for (const name of ['', 'a', '0', 'index', 'content/0', 'tmp']) await mkdir(join(outside, name), { recursive: true })
  // These names are also used by files of the cache.
  for (const name of ['photo.jpg', '3', 'index/3', 'content/0/f86d', 'tmp/left']) {
    await writeFile(join(outside, name), 'mine').catch(() => {})
    await utimes(join(outside, name), 1, 1)
  }
})
afterEach(() => rm(top, { recursive: true, force: true }))

const keys = Array.from({ length: 40 }, (_, at) => `file\nhttps://host/ 7\n${at}\nhash\noriginal`)
const signal = new AbortController().signal

/** Returns every file in the folder outside the cache, with its text. */
async function mine(): Promise<Record<string, string>> {
  const files = (await readdir(outside, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile())
  const paths = files.map((file) => join(file.parentPath, file.name)).toSorted()
  return Object.fromEntries(await Promise.all(paths.map(async (path) => [path, await readFile(path, 'utf8')] as const)))
}

/** Uses the cache in every way that a build does: reads, writes, locks, and counts downloads. */
async function build(): Promise<void> {
  const store = openStore(cacheDir, () => {})
  for (const key of keys) {
    const text = Buffer.from(key)
    await store.use(
      { key, lock: key },
      async (receive) =>
        (await receive(Readable.from([text, Buffer.alloc(key === keys[0] ? 2_000_000 : 0)]), {})).content,
      async () => {},
    )
    await store.put(`${key}-put`, text)
    await store.findContent(contentOf(text).integrity)
  }
  await withFolderLock(join(top, 'out'), cacheDir, signal, async () => {})
  await createLimiter({ requests: 9, seconds: 9, cacheDir, key: 'k', onWait: () => {} }).take(signal)
}

const commands = { list: listCache, verify: verifyCache, prune: (folder: string) => pruneCache(folder, 0) }

for (const folder of [
  'files-v3',
  'files-v3/content',
  'files-v3/content/0',
  'files-v3/index',
  'files-v3/tmp',
  'making',
  'pulling',
  'rate',
])
  test(`a link in the place of ${folder} is rejected, and nothing behind it changes`, async () => {
    const place = join(cacheDir, folder)
    await mkdir(dirname(place), { recursive: true })
    await symlink(outside, place, 'junction')
    const before = await mine()
    await expect(build()).rejects.toMatchObject({ code: 'fileSystem', message: expect.stringContaining(place) })
    await expect(pruneCache(cacheDir, 0)).rejects.toMatchObject({ code: 'fileSystem' })
    for (const run of Object.values(commands)) await run(cacheDir).catch(() => {})
    expect(await mine()).toEqual(before)
    await clearCache(cacheDir)
    expect(await mine()).toEqual(before)
    await build()
    expect((await listCache(cacheDir)).total.entries).toBe(80)
  })

test('a store that is in use rejects a link that appears in place of a folder', async () => {
  vi.useFakeTimers({ toFake: ['performance'] })
  onTestFinished(() => void vi.useRealTimers())
  const store = openStore(cacheDir, () => {})
  const [key = ''] = keys
  const place = join(cacheDir, 'files-v3')
  const link = () => symlink(outside, place, 'junction')
  const before = await mine()
  expect(await store.info(key)).toBeUndefined()
  await mkdir(cacheDir)
  await link()
  await expect(store.info(key)).rejects.toMatchObject({ code: 'fileSystem' })
  await rm(place)
  await store.put(key, Buffer.from('text'))
  await rm(place, { recursive: true })
  await link()
  vi.advanceTimersByTime(1000)
  await expect(store.info(key)).rejects.toMatchObject({ code: 'fileSystem' })
  await expect(store.put(key, Buffer.from('other'))).rejects.toMatchObject({ code: 'fileSystem' })
  expect(await mine()).toEqual(before)
})

test('links in stores of other versions are not followed, and neither are links in the place of files', async () => {
  await build()
  for (const name of ['files-v1', 'files-v2/content', 'files-v2/tmp', 'making/folder', 'files-v3/content/0/link']) {
    await mkdir(dirname(join(cacheDir, name)), { recursive: true })
    await symlink(outside, join(cacheDir, name), 'junction')
  }
  await rm(join(cacheDir, 'files-v3/index/3'))
  await symlink(join(outside, 'index/3'), join(cacheDir, 'files-v3/index/3'))
  const [account = ''] = await readdir(join(cacheDir, 'rate'))
  await rm(join(cacheDir, 'rate', account))
  await symlink(join(outside, 'photo.jpg'), join(cacheDir, 'rate', account))
  const before = await mine()
  await build()
  for (const run of Object.values(commands)) await run(cacheDir)
  await clearCache(cacheDir)
  expect(await mine()).toEqual(before)
})

test('the cache folder itself may be a link', async () => {
  await build()
  await rename(cacheDir, join(top, 'moved'))
  await symlink(join(top, 'moved'), cacheDir, 'junction')
  await build()
  expect((await verifyCache(cacheDir)).corrupt).toEqual([])
})
