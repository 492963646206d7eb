// Gets entries from Redis and writes them to files: node remote-client.js <address> <password> <folder> < names
import { readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import PQueue from 'p-queue'
import { createClient, RESP_TYPES } from 'redis'

const [url, password, folder] = process.argv.slice(2)
const names = readFileSync(0, 'utf8').split('\n')
const client = createClient({ url, password }).withTypeMapping({ [RESP_TYPES.BLOB_STRING]: Buffer })
await client.connect()
const queue = new PQueue({ concurrency: 32 })
await queue.addAll(
  names.map((name, at) => async () => {
    const bytes = await client.get(`content-space:${name}`)
    if (bytes === null) throw new Error(`${name} is missing`)
    await writeFile(join(folder, String(at)), bytes)
  }),
)
client.destroy()
