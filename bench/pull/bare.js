// A downloader that doesn't check files. It keeps connections open, sends as many concurrent requests as `pull`, and
// writes each body to a file.
import { mkdirSync, readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { Agent, get } from 'node:http'
import { join } from 'node:path'

const [, , list = '', out = '', connections = '32'] = process.argv
/** @type {{ authorization: string, urls: string[] }} */
const { authorization, urls } = JSON.parse(readFileSync(list, 'utf8'))
const agent = new Agent({ keepAlive: true, maxSockets: Number(connections) })
mkdirSync(out)

/**
 * @param {string} url
 * @returns {Promise<Buffer>}
 */
function download(url) {
  return new Promise((resolve, reject) => {
    get(url, { agent, headers: { authorization } }, (response) => {
      /** @type {Buffer[]} */
      const chunks = []
      response.on('data', (chunk) => chunks.push(chunk))
      response.on('end', () => resolve(Buffer.concat(chunks)))
      response.on('error', reject)
    }).on('error', reject)
  })
}

let next = 0
async function work() {
  for (let at = next++; at < urls.length; at = next++) await writeFile(join(out, String(at)), await download(urls[at]))
}
await Promise.all(Array.from({ length: Number(connections) }, work))
agent.destroy()
