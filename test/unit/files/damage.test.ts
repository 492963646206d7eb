import { hash } from 'node:crypto'
import { appendFile, mkdir, readdir, readFile, rm, stat, symlink, truncate, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { basename, dirname, join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { listCache, verifyCache } from '../../../src/commands/cache/run.js'
import { contentPath, indexPath, unverifiedFolder } from '../../../src/disk/cache-layout.js'
import { contentOf, integrityOf } from '../../../src/disk/content.js'
import { openStore, readBytes, type Store } from '../../../src/files/store.js'
import { runs, timeFor } from '../../support/long.js'
import { tempFolder } from '../../support/files.js'

const count = runs(10, 500)
const textOf = (key: string): string => `bytes of ${key}`
/** Returns the bytes of a key. Makes missing bytes from `text`. */
const get = (store: Store, key: string, text: string) =>
  store.use({ key }, async () => contentOf(Buffer.from(text)), readBytes)
/** The name of the folder that contains the content `one`. */
const contentShard = basename(dirname(contentPath('', integrityOf('one'))))

/** The paths of an entry. */
interface Entry {
  cacheDir: string
  key: string
  content: string
  index: string
  /** The same paths of another entry in the same cache. */
  other: { key: string; content: string; index: string }
}

async function replace(path: string, lay: () => Promise<unknown>): Promise<void> {
  await rm(path, { recursive: true, force: true })
  await mkdir(dirname(path), { recursive: true })
  await lay()
}

/** Returns the line of a key in a file of the index. */
function lineOf(text: string, key: string): string {
  const found = text.split('\n').find((one) => one.endsWith(`\t${JSON.stringify(key)}`))
  return found ?? expect.fail(`no line of ${key}`)
}

const flip = async (path: string): Promise<void> => {
  const bytes = await readFile(path)
  bytes[bytes.length >> 1] = (bytes[bytes.length >> 1] ?? 0) ^ 1
  await writeFile(path, bytes)
}

/** Kinds of damage to one entry that disks, crashes, or users may cause. */
const kinds: Record<string, (entry: Entry) => Promise<unknown>> = {
  'a bit flipped': ({ content }) => flip(content),
  'content cut short': async ({ content }) => truncate(content, (await stat(content)).size >> 1),
  'content without a byte': ({ content }) => truncate(content, 0),
  'content of another entry': async ({ content, other }) => writeFile(content, await readFile(other.content)),
  'other bytes of the same length': async ({ content }) =>
    writeFile(content, Buffer.alloc((await stat(content)).size, 'x')),
  'content gone': ({ content }) => rm(content),
  'a folder in place of content': ({ content }) =>
    replace(content, () => mkdir(join(content, 'deep'), { recursive: true })),
  'a link in place of content': ({ content, other }) => replace(content, () => symlink(other.content, content)),
  'content that cannot be opened': ({ content }) => replace(content, () => listenAt(content)),
  'the index gone': ({ index }) => rm(index, { force: true }),
  'rubbish in the index': ({ index }) => writeFile(index, Buffer.from([10, 0, 255, 9, 123])),
  'the index of another entry': async ({ index, other }) => writeFile(index, await readFile(other.index)),
  'another hash in the index': async ({ index, key, other }) => {
    const text = await readFile(index, 'utf8')
    await writeFile(index, text.replace(integrityOf(textOf(key)), integrityOf(textOf(other.key))))
  },
  'another hash in a line that was added, with the checksum of the line of the key': async ({ index, key, other }) => {
    const added = lineOf(await readFile(index, 'utf8'), key)
    await appendFile(index, `\n${added.replace(integrityOf(textOf(key)), integrityOf(textOf(other.key)))}`)
  },
  'another hash in a line that was added, with the checksum of another line': async ({ index, key, other }) => {
    const others = lineOf(await readFile(other.index, 'utf8'), other.key)
    await appendFile(index, `\n${others.replace(JSON.stringify(other.key), JSON.stringify(key))}`)
  },
  'another hash in the index, with the checksum of cacache': async ({ index, key, other }) => {
    const entry = JSON.stringify({ key, integrity: integrityOf(textOf(other.key)), size: textOf(key).length })
    await writeFile(index, `\n${hash('sha1', entry)}\t${entry}`)
  },
  'half a line in the index': async ({ index }) => {
    const text = await readFile(index, 'utf8')
    await writeFile(index, `${text.slice(0, -5)}\n${text.slice(1, 30)}`)
  },
  'a link in place of the index': ({ index, other }) => replace(index, () => symlink(other.index, index)),
  'a folder in place of the index': ({ index }) => replace(index, () => mkdir(index)),
  'content and index damaged': async ({ content, index }) => {
    await flip(content)
    await flip(index)
  },
  'a file that was never finished': async ({ cacheDir, content }) => {
    await appendFile(join(unverifiedFolder(cacheDir), 'left'), 'half')
    await rm(content)
  },
}

/** Creates a socket, which is neither a file nor a folder, and which no user can read, not even root. */
async function listenAt(path: string): Promise<void> {
  const server = createServer()
  const before = process.cwd()
  // A socket's path is limited to about 100 characters.
  process.chdir(dirname(path))
  await new Promise<void>((resolve) => server.listen(basename(path), resolve))
  process.chdir(before)
  onTestFinished(() => void server.close())
}

async function damaged(damage: (entry: Entry) => Promise<unknown>): Promise<{ cacheDir: string; keys: string[] }> {
  const cacheDir = await tempFolder()
  const store = openStore(cacheDir, (message) => expect.fail(message))
  const keys = Array.from({ length: count }, (_, at) => `key ${at}`)
  const place = (key: string) => ({
    key,
    content: contentPath(cacheDir, integrityOf(textOf(key))),
    index: indexPath(cacheDir, key),
  })
  for (const key of [...keys, 'other']) await store.put(key, Buffer.from(textOf(key)))
  for (const key of keys) await damage({ cacheDir, ...place(key), other: place('other') })
  return { cacheDir, keys }
}

describe.each(Object.entries(kinds))('%s', (_, damage) => {
  test(
    'is never served, and is repaired in the run that finds it',
    async () => {
      const { cacheDir, keys } = await damaged(damage)
      const store = openStore(cacheDir, (message) => expect.fail(message))
      for (const key of keys) expect((await get(store, key, textOf(key))).bytes.toString()).toBe(textOf(key))
      const again = openStore(cacheDir, (message) => expect.fail(message))
      for (const key of keys) {
        const { bytes, cached } = await get(again, key, 'made again')
        expect([cached, bytes.toString()]).toEqual([true, textOf(key)])
      }
      expect((await verifyCache(cacheDir)).corrupt).toEqual([])
    },
    timeFor(count),
  )

  test(
    'does not stop listing or verifying the cache, and is removed',
    async () => {
      const { cacheDir } = await damaged(damage)
      await listCache(cacheDir)
      await verifyCache(cacheDir)
      expect((await verifyCache(cacheDir)).corrupt).toEqual([])
      expect((await openStore(cacheDir, () => {}).peek('other'))?.bytes.toString()).toBe(textOf('other'))
    },
    timeFor(count),
  )
})

test('stores content by its hash with one line per key, no matter how often the same content is stored', async () => {
  const cacheDir = await tempFolder()
  for (let run = 0; run < 3; run++) await openStore(cacheDir, () => {}).put('key', Buffer.from('text'))
  expect(await readFile(contentPath(cacheDir, integrityOf('text')), 'utf8')).toBe('text')
  const lines = (await readFile(indexPath(cacheDir, 'key'), 'utf8')).split('\n')
  expect(lines.map((line) => line.split('\t').slice(1))).toEqual([[], [integrityOf('text'), '4', '"key"']])
})

test('finds what other processes have added to the same file of the index', async () => {
  const cacheDir = await tempFolder()
  const keys = Array.from({ length: 2000 }, (_, at) => `key ${at}`)
  const same = keys.filter((key) => indexPath(cacheDir, key) === indexPath(cacheDir, 'key 0'))
  expect(same.length).toBeGreaterThan(2)
  const stores = [0, 1].map(() => openStore(cacheDir, (message) => expect.fail(message)))
  for (const [at, key] of same.entries()) {
    await stores[at % 2]?.put(key, Buffer.from(textOf(key)))
    for (const store of stores) expect((await store.peek(key))?.bytes.toString()).toBe(textOf(key))
  }
})

test.each(['tmp', 'content', 'index', `content/${contentShard}`])(
  'a file in place of the folder %s is replaced',
  async (name) => {
    const cacheDir = await tempFolder()
    const path = join(unverifiedFolder(cacheDir), '..', name)
    const store = openStore(cacheDir, (message) => expect.fail(message))
    await store.put('first', Buffer.from('one'))
    await replace(path, () => writeFile(path, ''))
    await get(store, 'second', 'two')
    expect((await openStore(cacheDir, () => {}).peek('second'))?.bytes.toString()).toBe('two')
    expect(await readdir(dirname(path))).toContain(name.split('/').at(-1))
  },
)
