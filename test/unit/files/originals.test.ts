import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { integrityOf } from '../../../src/disk/content.js'
import { openPool } from '../../../src/files/convert/pool.js'
import { openOriginals } from '../../../src/files/originals.js'
import { openStore } from '../../../src/files/store.js'
import { tempFolder } from '../../support/files.js'
import { spaceOf } from '../../support/one-asset.js'

const bytes = Buffer.from('a note')
const integrity = integrityOf(bytes)
const file = {
  asset: 'A0000000-0000-4000-8000-000000000000',
  label: 'note',
  name: 'note',
  ext: 'txt',
  type: 'TXT',
  size: bytes.length,
  hash: createHash('md5').update(bytes).digest('hex'),
}

const warn = (message: string) => expect.fail(message)

/** Opens originals that count how often they search the cache. */
function open(cacheDir: string) {
  const store = openStore(cacheDir, warn)
  const counted = { searches: 0, downloads: [] as string[] }
  const info = (key: string) => {
    counted.searches++
    return store.info(key)
  }
  const space = spaceOf({ TXT: bytes }, 'TXT', counted.downloads)
  const context = { space, offline: false, strict: false, frozen: false, warn, locked: () => integrity }
  return { originals: openOriginals({ ...store, info }, context, openPool(1)), counted }
}

test('files that are made from one cached source search for it once', async () => {
  const cacheDir = await tempFolder()
  await open(cacheDir).originals.info(file)
  const { originals, counted } = open(cacheDir)
  const made = Array.from({ length: 6 }, async () => (await originals.expected(file)) ?? (await originals.info(file)))
  for (const source of await Promise.all(made)) expect(source).toEqual({ integrity, size: bytes.length, cached: true })
  expect(await originals.peek(file)).toEqual({ integrity, size: bytes.length })
  expect(counted).toEqual({ searches: 1, downloads: [] })
})

test('a source is searched for again after a download', async () => {
  const { originals, counted } = open(await tempFolder())
  expect(await originals.expected(file)).toEqual({ integrity, size: bytes.length, cached: true })
  await originals.info(file)
  expect(await originals.expected(file)).toBeUndefined()
  expect(counted.downloads).toEqual(['TXT'])
})
