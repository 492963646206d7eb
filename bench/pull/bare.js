// A downloader that checks nothing. It keeps connections open, sends as many requests at once as `pull`, and writes each
// body to its files.
import { mkdirSync, readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Agent, request } from 'undici'

const [, , list = '', out = '', connections = '32'] = process.argv
/**
 * Files without a text contain the body.
 * @type {{ authorization: string, downloads: { url: string, files: { path: string, text?: string }[] }[] }}
 */
const { authorization, downloads } = JSON.parse(readFileSync(list, 'utf8'))
const dispatcher = new Agent({ connections: Number(connections) })
const folders = new Set()

let next = 0
async function work() {
  for (let download = downloads[next++]; download !== undefined; download = downloads[next++]) {
    const { body } = await request(download.url, { dispatcher, headers: { authorization } })
    const bytes = new Uint8Array(await body.arrayBuffer())
    for (const { path, text } of download.files) {
      const file = join(out, path)
      const folder = dirname(file)
      if (!folders.has(folder)) mkdirSync(folder, { recursive: true })
      folders.add(folder)
      await writeFile(file, text ?? bytes)
    }
  }
}
await Promise.all(Array.from({ length: Number(connections) }, work))
await dispatcher.close()
