import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { timeFor } from '../../support/long.js'
import { openFiles, planned, tempFolder } from '../../support/files.js'

const size = 300e6
/** The maximum memory growth of a process, for any file. */
const most = 64 * 1024 * 1024

/**
 * Runs in a separate process, because its memory is measured: uses a file that arrives in chunks in one way and prints
 * the memory growth.
 */
const script = `
import { readFileSync } from 'node:fs'
const [built, folder, task] = process.argv.slice(2)
const { createFiles } = await import(built + '/files/files.js')
const { copyContent } = await import(built + '/disk/content.js')
const piece = Buffer.alloc(65_536, 'unlike zero')
async function* body() {
  for (let left = ${size}; left > 0; left -= piece.length) yield Uint8Array.from(piece.subarray(0, Math.min(left, piece.length)))
}
const space = { key: 'test', download: (_asset, _cut, receive) => receive(body()) }
const files = createFiles({
  space, cacheDir: folder + '/cache', offline: false, strict: false, frozen: false, warn: console.error, locked: () => undefined, onFile: () => {},
})
const file = JSON.parse(readFileSync(folder + '/file.json', 'utf8'))
globalThis.gc()
const before = process.memoryUsage.rss()
let peak = before
const timer = setInterval(() => { peak = Math.max(peak, process.memoryUsage.rss()) }, 5)
if (task === 'copy') await files.use(file, (content) => copyContent(content, folder + '/copy'))
else await files.ensure(file)
clearInterval(timer)
console.log(peak - before)
files.close()
`

test(
  'streams a large file from the service to the disk, out of the cache and through its check',
  async () => {
    const folder = await tempFolder()
    const piece = Buffer.alloc(65_536, 'unlike zero')
    const hash = createHash('md5')
    for (let left = size; left > 0; left -= piece.length) hash.update(piece.subarray(0, Math.min(left, piece.length)))
    const { src } = planned({ type: 'MP4', size, fileHash: hash.digest('hex') }, '')
    await writeFile(join(folder, 'file.json'), JSON.stringify(src))
    await writeFile(join(folder, 'script.mjs'), script)
    const grown = async (task: string): Promise<number> => {
      const args = ['--expose-gc', join(folder, 'script.mjs'), pathToFileURL('build').href, folder, task]
      return Number((await promisify(execFile)(process.execPath, args)).stdout)
    }
    for (const task of ['copy', 'ensure']) expect(await grown(task)).toBeLessThan(most)
    expect((await stat(join(folder, 'copy'))).size).toBe(size)
    expect((await readFile(join(folder, 'copy'))).subarray(0, 11).toString()).toBe('unlike zero')
  },
  timeFor(3),
)

test("doesn't return a text or data URI for a file that is too large for a module", async () => {
  const files = await openFiles({ MP4: Buffer.from('never asked for') })
  for (const query of ['inline', 'raw']) {
    const { value } = planned({ type: 'MP4', size }, query)
    await expect(value && files.value(value)).rejects.toMatchObject({
      code: 'invalidQuery',
      hint: expect.stringContaining('as=inline'),
    })
  }
  expect(files.downloads).toEqual([])
})
