import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeCacheFolder, makeFolder } from '../../../src/disk/make-folder.js'

let root: string
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'content-space-create-'))
})
afterAll(() => rm(root, { recursive: true }))

test('creates parents, and returns the first folder that was missing', async () => {
  expect(makeFolder(join(root, 'a/b/c'))).toBe(join(root, 'a'))
  expect((await stat(join(root, 'a/b/c'))).isDirectory()).toBe(true)
  expect(makeFolder(join(root, 'a/b/c'))).toBeUndefined()
  expect(makeFolder(join(root, 'a/d'))).toBe(join(root, 'a/d'))
})

test('is an error if a file exists in place of a folder', async () => {
  await writeFile(join(root, 'file'), '')
  expect(() => makeFolder(join(root, 'file/x/y'))).toThrow(
    expect.objectContaining({ code: 'fileSystem', hint: expect.stringContaining('A file exists where this folder') }),
  )
})

test.runIf(process.platform === 'linux')('ends where the system allows no folder', () => {
  // The system doesn't let any user create this folder. No process has this name either.
  const refused = '/proc/content-space/icons'
  expect(() => makeFolder(refused)).toThrow(expect.objectContaining({ code: 'fileSystem' }))
  expect(() => makeCacheFolder('/proc/content-space', refused)).toThrow('ENOENT')
})
