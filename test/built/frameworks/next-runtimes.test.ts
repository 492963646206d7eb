import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { copyRuntimes } from '../../../src/frameworks/next/runtimes.js'

let root: string
beforeAll(async () => void (root = await mkdtemp(join(tmpdir(), 'content-space-next-'))))
afterAll(() => rm(root, { recursive: true }))

test('runtimes are written for each module, if they are missing or damaged', async () => {
  const folder = join(root, '.content-space/next-runtime')
  const file = join(folder, 'react.js')
  const runtimes = copyRuntimes(root)
  await runtimes.written()
  await expect(readdir(root)).resolves.toEqual([])
  const { import: { from } = {} } = runtimes.import('react', 'svg') ?? {}
  expect(from).toBe('./next-runtime/react.js')
  const files = ['drawing.js', 'image.js', 'props.js', 'react.js']
  await Promise.all([runtimes.written(), runtimes.written()])
  await expect(readdir(folder)).resolves.toEqual(files)
  const text = await readFile(file, 'utf8')
  expect(text).toContain('svg')

  const { mtimeMs } = await stat(file)
  await runtimes.written()
  expect((await stat(file)).mtimeMs).toBe(mtimeMs)

  await writeFile(file, text.slice(0, 10))
  await runtimes.written()
  await expect(readFile(file, 'utf8')).resolves.toBe(text)

  await rm(join(root, '.content-space'), { recursive: true })
  await runtimes.written()
  await expect(readdir(folder)).resolves.toEqual(files)
})
