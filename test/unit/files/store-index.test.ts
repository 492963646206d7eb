import { hash } from 'node:crypto'
import { appendFile, copyFile, mkdir, readdir, readFile, truncate, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { expect, test } from 'vitest'
import { indexPath } from '../../../src/disk/cache-layout.js'
import { integrityOf } from '../../../src/disk/content.js'
import { openStoreIndex, readIndex, removeFromIndex } from '../../../src/files/store-index.js'
import { tempFolder } from '../../support/files.js'

const entryOf = (key: string) => ({ key, integrity: integrityOf(key), size: key.length })

/** Keys whose entries are in the same file of the index. */
const [first = '', second = '', third = ''] = Array.from({ length: 5000 }, (_, at) => `${at} é`).filter(
  (key) => indexPath('', key) === indexPath('', '0 é'),
)

async function opened() {
  const cacheDir = await tempFolder()
  const path = indexPath(cacheDir, first)
  await mkdir(dirname(path), { recursive: true })
  return { cacheDir, path, index: openStoreIndex(cacheDir) }
}

test('a line is found that was seen when another process had written only a part of it', async () => {
  const { cacheDir, path, index } = await opened()
  index.add(entryOf(first))
  const length = (await readFile(path)).length
  openStoreIndex(cacheDir).add(entryOf(second))
  const whole = await readFile(path)
  for (let cut = length; cut < whole.length; cut++) {
    await truncate(path, length)
    const reader = openStoreIndex(cacheDir)
    expect(reader.find(first)).toEqual(entryOf(first))
    await appendFile(path, whole.subarray(length, cut))
    expect(reader.find(second)).toBeUndefined()
    await appendFile(path, whole.subarray(cut))
    expect(reader.find(second)).toEqual(entryOf(second))
    expect(reader.find(first)).toEqual(entryOf(first))
  }
})

test('what was removed is not found after the file has become longer with other lines', async () => {
  const { path, index } = await opened()
  index.add(entryOf(first))
  const { cacheDir: other, path: longer, index: others } = await opened()
  for (const key of [second, third]) others.add(entryOf(key))
  expect(index.find(first)).toEqual(entryOf(first))
  // Keep the file itself, because a new file may get the inode number of the replaced one.
  await copyFile(longer, path)
  expect(index.find(first)).toBeUndefined()
  expect(index.find(third)).toEqual(entryOf(third))
  expect(readIndex(other)).toEqual([entryOf(second), entryOf(third)])
})

test.each(['{', '7', ''])('a line with a right checksum whose key is %j counts as missing', async (json) => {
  const { cacheDir, path, index } = await opened()
  const rest = [integrityOf(first), 1, json].join('\t')
  await writeFile(path, `\n${hash('sha256', rest, 'base64url')}\t${rest}`)
  expect(readIndex(cacheDir)).toEqual([])
  index.add(entryOf(first))
  expect(readIndex(cacheDir)).toEqual([entryOf(first)])
})

test("removing an entry keeps the others, and doesn't leave other files", async () => {
  const { cacheDir, path, index } = await opened()
  for (const key of [first, second, third]) index.add(entryOf(key))
  removeFromIndex(cacheDir, [{ key: second }, { key: 'never added' }])
  expect([first, second, third].map((key) => index.find(key))).toEqual([entryOf(first), undefined, entryOf(third)])
  expect((await readdir(dirname(path))).filter((name) => name.length > 2)).toEqual([])
})
