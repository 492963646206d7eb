// Serves a folder like `content-space serve`, but reads the folder once and makes each response once, so that a
// response takes only the latency. `content-space serve` reads its folder for each listing, which takes minutes for a
// kit of 50,000 assets.
import { randomBytes } from 'node:crypto'
import { createServer } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import { failureOf } from '../build/commands/serve/response.js'
import { findRoute } from '../build/commands/serve/routes.js'
import { createPublicFiles } from '../build/commands/serve/signed-files.js'
import { createFolderReader } from '../build/space/folder/cached-read.js'

const [, , folder = '', latency = '0', encoding] = process.argv
const token = randomBytes(24).toString('base64url')
const disk = createFolderReader(folder)
const content = await disk.now()
/** @type {import('../build/space/folder/cached-read.js').FolderReader} */
const reader = { now: async () => content, asset: (uuid, hash) => disk.asset(uuid, hash) }
/** @type {Map<string, Promise<import('../build/commands/serve/response.js').Response>>} */
const responses = new Map()
/** @type {string[]} */
let requests = []

const server = createServer((request, response) => {
  const { url = '' } = request
  if (url === '/requests') {
    response.end(JSON.stringify(requests))
    requests = []
    return
  }
  requests.push(url)
  const made = responses.get(url) ?? respond(url).then(pack).catch(failureOf)
  responses.set(url, made)
  void Promise.all([made, wait(Number(latency))]).then(([{ status, headers, body }]) => {
    response.writeHead(status, { ...headers, 'content-length': body.length })
    response.end(body)
  })
})
await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)))
const address = server.address()
const origin = `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`
const files = createPublicFiles(origin, token)
/** @type {import('../build/commands/serve/routes.js').Service} */
const service = { reader, ...files, shown: new Map(), pageBase: 1, downloads: 'bytes' }
console.log(JSON.stringify({ space: origin, spaceId: content.spaceId, token }))

/** @param {string} path */
async function respond(path) {
  const url = new URL(path, origin)
  const file = await files.respond(url, reader)
  return (
    file ??
    findRoute(url.pathname)?.respond(service, url.searchParams) ?? { status: 404, headers: {}, body: Buffer.alloc(0) }
  )
}

/**
 * Compresses listings if that was requested at the start, no matter what a client requests.
 * @param {import('../build/commands/serve/response.js').Response} response
 */
function pack(response) {
  const { headers, body } = response
  if (encoding !== 'gzip' || 'path' in body || !headers['content-type']?.startsWith('application/json')) return response
  return { ...response, headers: { ...headers, 'content-encoding': 'gzip' }, body: gzipSync(body) }
}
