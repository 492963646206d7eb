// A downloader that checks nothing: keep-alive connections, as many at a time as `pull` has, and each body to a file.
import { mkdirSync, readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { Agent, request } from 'undici'

const [, , list = '', out = '', connections = '32'] = process.argv
/** @type {{ authorization: string, files: { url: string, name: string }[] }} */
const { authorization, files } = JSON.parse(readFileSync(list, 'utf8'))
const dispatcher = new Agent({ connections: Number(connections) })
mkdirSync(out)

let next = 0
async function work() {
  for (let file = files[next++]; file !== undefined; file = files[next++]) {
    const { body } = await request(file.url, { dispatcher, headers: { authorization } })
    await writeFile(`${out}/${file.name}`, new Uint8Array(await body.arrayBuffer()))
  }
}
await Promise.all(Array.from({ length: Number(connections) }, work))
await dispatcher.close()
