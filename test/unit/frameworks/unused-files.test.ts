import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { removeUnusedFiles } from '../../../src/frameworks/astro/unused-files.js'

let folder: string
beforeEach(async () => void (folder = await mkdtemp(join(tmpdir(), 'unused-'))))
afterEach(() => rm(folder, { recursive: true }))

test('removes the emitted files that no text of an output names', async () => {
  const names = ['page.jpg', 'nested.png', 'endpoint.svg', 'drawing.webp', 'hidden.gif', 'unused.jpg', '日本.jpg']
  const files = {
    ...Object.fromEntries(names.map((name) => [`_astro/${name}`, name === 'endpoint.svg' ? 'drawing.webp' : name])),
    '_astro/of-the-user.jpg': 'unused.jpg',
    'index.html': '<img src="/shop/_astro/page.jpg">',
    'en/index.html': '<img src="../_astro/nested.png">',
    address: '/_astro/endpoint.svg',
    '.well-known/x': '/_astro/hidden.gif',
  }
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true })
    await writeFile(join(folder, name), text)
  }
  await removeUnusedFiles(folder, new Set([...names.map((name) => `_astro/${name}`), '_astro/absent.jpg']))
  const kept = [...names.filter((name) => name !== 'unused.jpg'), 'of-the-user.jpg']
  expect((await readdir(join(folder, '_astro'))).toSorted()).toEqual(kept.toSorted())
})
