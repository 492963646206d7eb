import { writeFileSync } from 'node:fs'
import { mkdir, mkdtemp, realpath, rename, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { soon } from '../../support/long.js'
import { watchFolder, type Stop } from '../../../src/disk/watch.js'

let root: string
let folder: string
let stop: Stop | undefined
let changes: number

beforeEach(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), 'content-space-watch-')))
  folder = join(root, 'space')
  await mkdir(join(folder, 'brand'), { recursive: true })
  await writeFile(join(folder, 'brand/logo.svg'), 'one')
})
afterEach(async () => {
  await stop?.()
  await rm(root, { recursive: true, force: true })
})

const quiet = () => new Promise((done) => setTimeout(done, 400))

async function watch(path: string): Promise<void> {
  changes = 0
  stop = await watchFolder(
    path,
    () => changes++,
    () => {
      throw new Error('The folder cannot be watched')
    },
  )
  // The first call signals that the folder is being watched.
  await vi.waitFor(() => expect(changes).toBe(1), soon)
  changes = 0
}

async function isNoticed(): Promise<void> {
  await vi.waitFor(() => expect(changes).toBeGreaterThan(0), soon)
  await quiet()
}

test('a file that an editor replaces by renaming is noticed each time', async () => {
  await watch(folder)
  for (const text of ['two', 'three', 'four']) {
    changes = 0
    await writeFile(join(folder, 'brand/.logo.svg.tmp'), text)
    await rename(join(folder, 'brand/.logo.svg.tmp'), join(folder, 'brand/logo.svg'))
    await isNoticed()
  }
})

test('many files that change at the same time are one change', async () => {
  await watch(folder)
  // Write synchronously, so that this process can't notice some of the files early.
  for (let at = 0; at < 500; at++) writeFileSync(join(folder, `brand/${at}.svg`), `${at}`)
  await isNoticed()
  // A busy machine pauses the watcher, which then reports the files before and after the pause as separate changes.
  expect(changes).toBeLessThanOrEqual(25)
})

test('a folder that is replaced, and a new folder in it, are watched', async () => {
  await watch(folder)
  await rm(folder, { recursive: true })
  await isNoticed()
  changes = 0
  await mkdir(join(folder, 'icons/Arrows'), { recursive: true })
  await writeFile(join(folder, 'icons/Arrows/arrow.svg'), 'arrow')
  await isNoticed()
  changes = 0
  await writeFile(join(folder, 'icons/Arrows/arrow.svg'), 'other')
  await isNoticed()
})

test('a link to a folder, and links in it, are followed', async () => {
  await mkdir(join(root, 'elsewhere'))
  await writeFile(join(root, 'elsewhere/photo.jpg'), 'one')
  await symlink(join(root, 'elsewhere'), join(folder, 'photos'))
  await symlink(folder, join(root, 'link'))
  await watch(join(root, 'link'))
  await writeFile(join(folder, 'brand/logo.svg'), 'two')
  await isNoticed()
  changes = 0
  await writeFile(join(root, 'elsewhere/photo.jpg'), 'two')
  await isNoticed()
})

test("changes aren't reported after the end", async () => {
  await watch(folder)
  await writeFile(join(folder, 'brand/logo.svg'), 'two')
  await stop?.()
  await writeFile(join(folder, 'brand/logo.svg'), 'three')
  await quiet()
  expect(changes).toBe(0)
})
