import { readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { contentPath } from '../../../src/disk/cache-layout.js'
import { integrityOf } from '../../../src/disk/content.js'
import { readIndex } from '../../../src/files/store-index.js'
import { openFiles, planned, tempFolder } from '../../support/files.js'
import { pixel } from '../../support/pictures.js'

const picture = (background: string): Promise<Buffer> =>
  sharp({ create: { width: 90, height: 60, channels: 3, background } })
    .png()
    .toBuffer()
const [red, blue] = [await picture('#f00'), await picture('#00f')]

function small(query: string) {
  const { src } = planned({ type: 'PNG', width: 90, height: 60 }, query)
  if (!src) throw new Error('no src')
  return src
}

/** Returns the conversions in the cache, by the source's hash in their key. */
async function conversions(cacheDir: string): Promise<Map<string, Buffer>> {
  const entries = readIndex(cacheDir).filter(({ key }) => key.startsWith('made\n'))
  return new Map(
    await Promise.all(
      entries.map(
        async ({ key, integrity }) =>
          [key.split('\n')[1] ?? '', await readFile(contentPath(cacheDir, integrity))] as const,
      ),
    ),
  )
}

test('a conversion of a replaced download is stored under the hash of its actual source', async () => {
  const cacheDir = await tempFolder()
  const content: Record<string, Buffer> = { PNG: red }
  const files = await openFiles(content, { cacheDir })
  await files.bytes(small('w=45'))
  // Another process has cleared the cache, and the service now has another file, so the remembered hash matches
  // neither.
  for (const name of await readdir(cacheDir)) await rm(join(cacheDir, name), { recursive: true })
  content['PNG'] = blue
  const made = await files.bytes(small('w=30'))
  expect(await pixel(made, 1, 1)).toEqual([0, 0, 255, 255])
  const kept = await conversions(cacheDir)
  expect([...kept.keys()]).toEqual([integrityOf(blue)])
})

test('uses a single download without a writable cache when the service returns varying bytes', async () => {
  const cacheDir = join(await tempFolder(), 'file')
  await writeFile(cacheDir, '')
  let count = 0
  const changing = {
    get PNG() {
      return count++ % 2 === 0 ? red : blue
    },
  }
  const files = await openFiles(changing, { cacheDir, type: 'PNG' })
  count = 0
  expect(await pixel(await files.bytes(small('w=45')), 1, 1)).toEqual([255, 0, 0, 255])
  expect(files.downloads).toEqual(['PNG'])
})
