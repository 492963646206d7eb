// A client that sends the given requests over connections that it keeps open, parses JSON responses, and doesn't store
// anything. The standard input contains the credentials and the paths in phases. The requests in a phase are sent after
// all responses of the previous phase have arrived.
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
