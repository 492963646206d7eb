import { mkdtemp, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { projectFolder } from '../../../src/disk/project-folder.js'

let root: string
beforeEach(async () => void (root = await mkdtemp(join(tmpdir(), 'content-space-folder-'))))
afterEach(() => rm(root, { recursive: true, force: true }))

test('writes .gitignore if it is missing or different, and only then', async () => {
  const file = join(projectFolder(root), '.gitignore')
  expect(await readFile(file, 'utf8')).toBe('*\n')
  const before = new Date(1000)
  await utimes(file, before, before)
  projectFolder(root)
  expect((await stat(file)).mtime).toEqual(before)
  await writeFile(file, '!changes.json\n')
  projectFolder(root)
  expect(await readFile(file, 'utf8')).toBe('*\n')
})
