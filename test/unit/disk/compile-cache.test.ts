import { chmod, lstat, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { compiledCodeFolder } from '../../../src/disk/compile-cache.js'

let root: string
let folder: string
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'content-space-code-'))
  folder = join(root, 'caches/content-space-code')
})
afterEach(() => rm(root, { recursive: true }))

const find = (uid?: number, more = {}): string | undefined =>
  compiledCodeFolder({ XDG_CACHE_HOME: join(root, 'caches'), ...more }, uid)

test('the folder for compiled code is created for this user alone, and used again', async () => {
  expect([find(), find()]).toEqual([folder, folder])
  expect((await lstat(folder)).mode & 0o777).toBe(0o700)
})

test.each<[string, () => Promise<unknown>]>([
  ['that its group can write', () => mkdir(folder).then(() => chmod(folder, 0o770))],
  ['that others can read', () => mkdir(folder).then(() => chmod(folder, 0o755))],
  ['that is a file', () => writeFile(folder, '', { mode: 0o700 })],
  [
    'that is a link to a private one',
    async () => {
      await mkdir(`${folder}-other`, { mode: 0o700 })
      await symlink(`${folder}-other`, folder)
    },
  ],
])('a folder %s is refused', async (_, make) => {
  await mkdir(join(root, 'caches'))
  await make()
  expect(find()).toBeUndefined()
})

test('a folder of another user is rejected', () => {
  expect(find((process.getuid?.() ?? 0) + 1)).toBeUndefined()
  expect(find()).toBe(folder)
})

test('nothing is kept where Node is told to keep nothing', async () => {
  expect(find(undefined, { NODE_DISABLE_COMPILE_CACHE: '1' })).toBeUndefined()
  await expect(lstat(folder)).rejects.toThrow('ENOENT')
})
