// A client that sends the given requests, with connections that stay open, and parses JSON responses. It keeps nothing.
// The standard input has the credentials, and the paths in phases: the requests of a phase are sent after all responses
// of the phase before it have arrived.
import { readFileSync } from 'node:fs'
import { Agent, request } from 'node:http'

/** @type {{ service: string, authorization: string, concurrency: number, phases: string[][] }} */
const { service, authorization, concurrency, phases } = JSON.parse(readFileSync(0, 'utf8'))
const agent = new Agent({ keepAlive: true, maxSockets: concurrency })

/** @param {string} path */
function get(path) {
  return new Promise((resolve, reject) => {
    const sent = request(new URL(path, service), { agent, headers: { authorization } }, (response) => {
      /** @type {Buffer[]} */
      const chunks = []
      response.on('data', (chunk) => chunks.push(chunk))
      response.on('error', reject)
      response.on('end', () => {
        const bytes = Buffer.concat(chunks)
        if (response.statusCode !== 200) return reject(new Error(`${path}: HTTP status ${response.statusCode}`))
        if (/json/.test(response.headers['content-type'] ?? '')) JSON.parse(bytes.toString())
        return resolve(undefined)
      })
    })
    sent.on('error', reject)
    sent.end()
  })
}

for (const phase of phases) await Promise.all(phase.map(get))
agent.destroy()
