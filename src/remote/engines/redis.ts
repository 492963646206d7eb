import { randomUUID } from 'node:crypto'
import { createRequire } from 'node:module'
import { attempt } from '../../async/attempt.js'
import { memoryLimit } from '../../disk/content.js'
import { resolvePeer } from '../../disk/peer.js'
import { httpRefusal, maxListPages, refusal, type EngineLeases, type RemoteEngine } from '../engine.js'
import { bodyOf, sizeOfBody } from './body.js'
import { openRedisLink } from './redis-link.js'
import { redisRate, type RunScript } from './redis-rate.js'

const prefix = 'content-space:'

/** In bytes. Larger values are read and written in parts. */
const partSize = memoryLimit

/** Seconds after which an incompletely written value is removed. */
const abandonedAfter = 3600

/** Redis errors that a warning may name. The first word of the message is the name. */
const known =
  /^(?:ERR|WRONGTYPE|OOM|NOAUTH|WRONGPASS|NOPERM|READONLY|LOADING|MISCONF|NOREPLICAS|MOVED|CROSSSLOT|BUSY|MASTERDOWN)\b/

const renewScript = `if redis.call('get', KEYS[1]) == ARGV[1] then return redis.call('pexpire', KEYS[1], ARGV[2]) end`
const releaseScript = `if redis.call('get', KEYS[1]) == ARGV[1] then return redis.call('del', KEYS[1]) end`

type Redis = Pick<typeof import('redis'), 'createClient' | 'RESP_TYPES'>
type Client = Awaited<ReturnType<typeof connect>>

/** Opens Redis or Valkey. All commands share one connection. */
export async function redisEngine(
  url: URL,
  signal: AbortSignal,
  onFailure: (error: Error) => void,
): Promise<RemoteEngine> {
  // The client loads while the connection is made.
  const [link, redis] = await Promise.all([openRedisLink(url, signal, onFailure), loadClient()])
  const client = await connect(redis, url, link.port, signal).catch((error: unknown) => {
    link.close()
    return explain(error)
  })

  const run: RunScript = (script, keys, values) =>
    client.eval(script, { keys, arguments: values.map(String) }).catch(explain)

  return {
    async get(name) {
      const key = prefix + name
      const first = await readPart(client, key, 0)
      return first && parts(client, key, first)
    },
    has: async (name) => (await client.exists(prefix + name).catch(explain)) > 0,
    async put(name, entry, call) {
      const body = await bodyOf(entry, call)
      const key = prefix + name
      if (Buffer.isBuffer(body)) await client.set(key, body).catch(explain)
      else await putParts(client, key, sizeOfBody(entry), body).catch(explain)
    },
    leases: leasesOf(client),
    rate: redisRate(run, prefix),
    async *list(start) {
      // List only strings, because counts for the rate limit have another type.
      let next = '0'
      for (let page = 0; page < maxListPages; page++) {
        const { cursor, keys } = await client.scan(next, { MATCH: `${prefix}${start}*`, TYPE: 'string', COUNT: 1000 })
        const sizes = await Promise.all(keys.map((key) => client.strLen(key)))
        yield* keys.map((key, at) => ({ name: String(key).slice(prefix.length), size: sizes[at] }))
        // The cursor is a buffer. `scanIterator` in version 5 of the client compares it with a string, so it never
        // ends.
        next = String(cursor)
        if (next === '0') return
      }
      throw httpRefusal(undefined)
    },
    close() {
      link.close()
      client.destroy()
    },
  }
}

/**
 * Loads the client without the commands of Redis modules, which the package `redis` adds to its dependency
 * `@redis/client`. Package managers may hide this dependency from other packages.
 */
async function loadClient(): Promise<Redis> {
  const path = resolvePeer('redis', 'A remote cache in Redis')
  const require = createRequire(path)
  return require(attempt(() => require.resolve('@redis/client')) ?? path)
}

async function connect({ createClient, RESP_TYPES }: Redis, server: URL, port: number, signal: AbortSignal) {
  const url = new URL(server)
  url.protocol = 'redis:'
  url.host = `127.0.0.1:${port}`
  const client = createClient({
    url: url.href,
    // The link supports only this protocol version, in which the server never sends unsolicited data.
    RESP: 2,
    disableOfflineQueue: true,
    // The caller limits the time without progress, and continues without the cache after a failure.
    socket: { reconnectStrategy: false, connectTimeout: 0 },
  }).withTypeMapping({ [RESP_TYPES.BLOB_STRING]: Buffer })
  // Calls reject on failure, but without a listener, a failure would also end the process.
  client.on('error', () => {})
  const abort = () => client.destroy()
  signal.addEventListener('abort', abort)
  await client.connect().finally(() => signal.removeEventListener('abort', abort))
  // Don't let an idle connection keep the process running.
  client.unref()
  return client
}

/**
 * Scripts are atomic. Without scripts, which Redis may refuse, a lease may expire between two commands and pass to
 * another holder. Then two runners make the same entry.
 */
function leasesOf(client: Client): EngineLeases {
  const isHolder = async (name: string, holder: string) => String(await client.get(prefix + name)) === holder
  return {
    async take(name, holder, milliseconds) {
      const expiration = { type: 'PX', value: milliseconds } as const
      const answer = await client.set(prefix + name, holder, { condition: 'NX', expiration }).catch(explain)
      if (answer !== null) return true
      const left = await client.pTTL(prefix + name).catch(explain)
      return isEndless(left, milliseconds) ? undefined : false
    },
    async held(names, milliseconds) {
      // The client batches commands of the same tick.
      const left = await Promise.all(names.map((name) => client.pTTL(prefix + name))).catch(explain)
      return new Set(names.filter((_, at) => left[at] !== -2 && !isEndless(left[at] ?? -1, milliseconds)))
    },
    async renew(name, holder, milliseconds) {
      const keys = { keys: [prefix + name], arguments: [holder, String(milliseconds)] }
      const plain = async () => (await isHolder(name, holder)) && client.pExpire(prefix + name, milliseconds)
      return (await client.eval(renewScript, keys).catch(plain)) === 1
    },
    async release(name, holder) {
      const plain = async () => (await isHolder(name, holder)) && client.del(prefix + name)
      await client.eval(releaseScript, { keys: [prefix + name], arguments: [holder] }).catch(plain)
    },
  }
}

/**
 * Returns whether a lease won't expire within its duration.
 * @param left milliseconds as returned by PTTL; -1 means never
 */
function isEndless(left: number, milliseconds: number): boolean {
  return left === -1 || left > milliseconds
}

/**
 * Writes a value in parts under a temporary name. Allocates the full size first, because Redis copies a value when it
 * grows.
 */
async function putParts(client: Client, key: string, size: number, chunks: AsyncIterable<Buffer>): Promise<void> {
  const temporary = `${prefix}tmp/${randomUUID()}`
  await client.setRange(temporary, size - 1, '\0')
  let offset = 0
  for await (const chunk of chunks) {
    await client.setRange(temporary, offset, chunk)
    await client.expire(temporary, abandonedAfter)
    offset += chunk.length
  }
  await client.rename(temporary, key)
  await client.persist(key)
}

async function* parts(client: Client, key: string, first: Buffer): AsyncGenerator<Uint8Array> {
  let size = 0
  for (let part: Buffer | undefined = first; part; part = await readPart(client, key, size)) {
    yield part
    size += part.length
    if (part.length < partSize) return
  }
}

/** Reads a part. Returns undefined for an empty range, which means a missing value or the end of a value. */
async function readPart(client: Client, key: string, start: number): Promise<Buffer | undefined> {
  const part = await client.getRange(key, start, start + partSize - 1).catch(explain)
  if (part !== null && !Buffer.isBuffer(part)) throw httpRefusal(undefined)
  return part === null || part.length === 0 ? undefined : part
}

function explain(error: unknown): never {
  const word = error instanceof Error ? known.exec(error.message)?.[0] : undefined
  throw word === undefined ? error : refusal(`it responded with the error ${word}`)
}
