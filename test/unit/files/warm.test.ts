import { execFileSync } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, it } from 'vitest'
import { tempFolder, planned } from '../../support/files.js'
import { halves } from '../../support/pictures.js'

/** Reads one picture in a process of its own, and prints what it took. */
const reader = `
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
const [built, folder] = process.argv.slice(2)
const { createFiles } = await import(built)
let downloads = 0
const space = { key: 'test', download: async () => { downloads++; return readFileSync(folder + '/photo.jpg') } }
const files = createFiles({
  space, cacheDir: folder + '/cache', offline: false, strict: false, warn: console.error, locked: () => undefined, onFile: () => {},
})
const bytes = await files.bytes(JSON.parse(readFileSync(folder + '/file.json', 'utf8')))
const children = execFileSync('ps', ['-eo', 'ppid=,args=']).toString().split('\\n')
  .filter((line) => line.trim().startsWith(process.pid + ' ') && line.includes('convert.js')).length
const sharp = process.report.getReport().sharedObjects.some((path) => path.includes('sharp'))
console.log(JSON.stringify({ size: bytes.length, downloads, children, sharp }))
files.close()
`

it('a warm build asks for nothing, starts no process and loads no sharp', async () => {
  const folder = await tempFolder()
  const { src } = planned({ type: 'JPG', width: 900, height: 600 }, 'w=90&format=webp')
  await writeFile(join(folder, 'photo.jpg'), await halves(900, 600).jpeg().toBuffer())
  await writeFile(join(folder, 'file.json'), JSON.stringify(src))
  await writeFile(join(folder, 'reader.mjs'), reader)
  const run = () =>
    JSON.parse(execFileSync(process.execPath, [join(folder, 'reader.mjs'), pathToFileURL('dist/files/files.js').href, folder]).toString())
  const cold = run()
  expect(cold).toEqual({ size: expect.any(Number), downloads: 1, children: 1, sharp: false })
  expect(run()).toEqual({ ...cold, downloads: 0, children: 0 })
})
