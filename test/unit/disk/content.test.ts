import { mkdir, readdir, readFile, rm, stat, symlink, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import { checkContent, contentOf, copyContent, isDamageError, memoryLimit } from '../../../src/disk/content.js'
import { tempFolder } from '../../support/files.js'

const bytes = Buffer.alloc(memoryLimit + 1, 'large')
const { integrity, size } = contentOf(bytes)
let folder: string
let cached: { path: string; integrity: string; size: number }
let copy: string

beforeEach(async () => {
  folder = await tempFolder()
  cached = { path: join(folder, 'cached'), integrity, size }
  await writeFile(cached.path, bytes, { mode: 0o600 })
  await mkdir(join(folder, 'out'))
  copy = join(folder, 'out', 'copy')
})

describe('a copy of a large file', () => {
  test.each([true, false])('has its bytes, and the access of a new file (flushed: %s)', async (flush) => {
    await copyContent(cached, copy, flush)
    expect(bytes.equals(await readFile(copy))).toBe(true)
    await writeFile(join(folder, 'new'), '')
    expect((await stat(copy)).mode).toBe((await stat(join(folder, 'new'))).mode)
    expect((await stat(cached.path)).mode & 0o777).toBe(0o600)
  })

  test('is not a second name of the file in the cache', async () => {
    await copyContent(cached, copy, false)
    await truncate(copy, 1)
    expect((await stat(cached.path)).size).toBe(size)
  })

  test.each<[string, () => Promise<unknown>]>([
    ['shorter', () => truncate(cached.path, 1000)],
    ['different', () => writeFile(cached.path, Buffer.alloc(size, 'other'))],
    ['missing', () => Promise.resolve((cached.path += '-gone'))],
    ['a folder', () => Promise.resolve((cached.path = folder))],
    ['a link', () => symlink(cached.path, join(folder, 'link')).then(() => (cached.path = join(folder, 'link')))],
  ])('is removed, and the file in the cache counts as damaged, if that file is %s', async (_, damage) => {
    await damage()
    const error = await copyContent(cached, copy, false).catch((caught: unknown) => caught)
    expect(isDamageError(error)).toBe(true)
    expect(await readdir(join(folder, 'out'))).toEqual([])
  })

  test('is not read again if the file in the cache was hashed while it was written, unless its size differs', async () => {
    const fresh = { ...cached, isFresh: true }
    await writeFile(cached.path, Buffer.alloc(size, 'other'))
    await checkContent(fresh)
    await copyContent(fresh, copy, false)
    await rm(copy)
    for (const damage of [() => truncate(cached.path, 1000), () => rm(cached.path)]) {
      await damage()
      for (const use of [() => checkContent(fresh), () => copyContent(fresh, copy, false)])
        expect(isDamageError(await use().catch((caught: unknown) => caught))).toBe(true)
      expect(await readdir(join(folder, 'out'))).toEqual([])
    }
  })

  test('does not replace a file, and does not blame the cache for that', async () => {
    await writeFile(copy, 'mine')
    await expect(copyContent(cached, copy, false)).rejects.toMatchObject({ code: 'EEXIST' })
    expect(await readFile(copy, 'utf8')).toBe('mine')
  })
})
