import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { tempFolder, planned } from '../../support/files.js'
import { halves } from '../../support/pictures.js'

/** Reads one picture in a separate process and prints the resources that it used. */
const reader = `
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
const [built, folder, file] = process.argv.slice(2)
const { createFiles } = await import(built)
let downloads = 0
const space = { key: 'test', download: (_asset, _cut, receive) => { downloads++; return receive([readFileSync(folder + '/photo.jpg')]) } }
const files = createFiles({
  space, cacheDir: folder + '/cache', offline: false, strict: false, warn: console.error, locked: () => undefined, onFile: () => {},
})
const bytes = await files.bytes(JSON.parse(readFileSync(folder + '/' + file, 'utf8')))
const children = execFileSync('ps', ['-eo', 'ppid=,args=']).toString().split('\\n')
  .filter((line) => line.trim().startsWith(process.pid + ' ') && line.includes('convert/worker.js')).length
const sharp = process.report.getReport().sharedObjects.some((path) => path.includes('sharp'))
console.log(JSON.stringify({ size: bytes.length, downloads, children, sharp }))
files.close()
`

interface Taken {
  size: number
  downloads: number
  children: number
  sharp: boolean
}

/** @returns a function that runs the reader for a small picture, or for its original */
async function prepare(): Promise<(file?: 'small.json' | 'original.json') => Promise<Taken>> {
  const folder = await tempFolder()
  const photo = { type: 'JPG', width: 900, height: 600 }
  await writeFile(join(folder, 'photo.jpg'), await halves(900, 600).jpeg().toBuffer())
  await writeFile(join(folder, 'small.json'), JSON.stringify(planned(photo, 'w=90&format=webp').src))
  await writeFile(join(folder, 'original.json'), JSON.stringify(planned(photo, '').src))
  await writeFile(join(folder, 'reader.mjs'), reader)
  return async (file = 'small.json') => {
    const built = pathToFileURL('build/files/files.js').href
    const { stdout } = await promisify(execFile)(process.execPath, [join(folder, 'reader.mjs'), built, folder, file])
    return JSON.parse(stdout)
  }
}

test("a warm build doesn't send requests, start processes, or load sharp", async () => {
  const run = await prepare()
  const cold = await run()
  expect(cold).toEqual({ size: expect.any(Number), downloads: 1, children: 1, sharp: false })
  expect(await run()).toEqual({ ...cold, downloads: 0, children: 0 })
})

test('processes that need the same picture at the same time convert it once', async () => {
  const run = await prepare()
  // The process that downloads the original starts a child to check it. Another child may then convert it.
  await run('original.json')
  const taken = await Promise.all([run(), run(), run()])
  expect(taken.filter(({ children }) => children > 0)).toHaveLength(1)
  expect(new Set(taken.map(({ size }) => size)).size).toBe(1)
})
