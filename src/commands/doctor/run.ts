import { hash } from 'node:crypto'
import type { Engine } from '../../engine/engine.js'
import { ContentSpaceError } from '../../errors.js'
import { createConnection } from '../../space/http/connection.js'
import { offlineError } from '../../space/offline.js'
import { isObject, objectOf } from '../../text/json.js'
import { createAsk, type Answer } from './ask.js'
import { findings, type Evidence, type Finding } from './findings.js'

export interface DoctorReport {
  /** The number of requests sent, at most 12. */
  requests: number
  findings: Finding[]
}

/** The maximum number of requests, including redirects. */
const mostRequests = 12

type Wire = Readonly<Record<string, unknown>>

/**
 * Finds out how a service behaves where the interface doesn't define it, and what that means for the project. Doesn't
 * change anything. The report doesn't contain any name, uuid, address or token of the space, so it can be shared.
 * @throws ContentSpaceError `invalidOption` for a folder, `offline`, `aborted`
 * @internal
 */
export async function doctor(engine: Engine, signal: AbortSignal): Promise<DoctorReport> {
  const { options } = engine
  const { space } = options
  if (!('address' in space)) {
    const problem = 'folder' in space ? 'A folder has no service to examine.' : 'Option space is not set.'
    throw new ContentSpaceError('invalidOption', problem, {
      hint: 'Pass --space https://<host>, or set CONTENT_SPACE_URL.',
    })
  }
  if (options.offline) throw offlineError('The service cannot be examined without a connection.')
  const silent = { warn: () => {}, onRequest: () => {}, onWait: () => {} }
  const connection = createConnection({ ...options, ...space, ...silent, rateLimit: false })
  const { ask, sent } = createAsk(connection, mostRequests, signal)
  try {
    const evidence = await examine(ask, [...options.kits.values()][0]?.kit)
    return {
      requests: sent(),
      findings: findings({ ...evidence, hasSpaceId: space.credentials.spaceId !== undefined }),
    }
  } finally {
    await connection.close()
  }
}

type Ask = ReturnType<typeof createAsk>['ask']

/** Sends the most revealing requests first, because a service that redirects may use up the limit. */
async function examine(ask: Ask, configured: string | undefined): Promise<Omit<Evidence, 'hasSpaceId'>> {
  const kits = await ask('kits/')
  const list = listIn(kits, 'kits') ?? listIn(kits, 'kit') ?? []
  const chosen = list.find((kit) => kit['kit_uuid'] === configured?.toUpperCase()) ?? list[0]
  if (chosen === undefined) return { kits, list }
  const uuid = textIn(chosen, 'kit_uuid')
  const versions = await ask(`kits/${uuid}`, { include: 'versions', options: 'versions' })
  const numbers = (listIn(versions, 'kit', 'versions') ?? []).flatMap(({ version }) => Number(version))
  const version = Number(chosen['use_version'] ?? 0)
  const outline = await ask(`kits/${uuid}/outline/`, { version, v: version })
  // A service that ignores a selector sends its default version.
  const other = numbers.find((number) => number !== version && number !== 0) ?? (version === 0 ? numbers.at(-1) : 0)
  const [byVersion, byV] =
    other === undefined
      ? []
      : [await ask(`kits/${uuid}/outline/`, { version: other }), await ask(`kits/${uuid}/outline/`, { v: other })]
  const section = listIn(outline, 'kit_version', 'sections')?.[0]
  const evidence = { kits, list, versions, numbers, outline, other, byVersion, byV }
  if (section === undefined) return evidence
  const path = `sections/${textIn(section, 'uuid')}`
  const whole = await ask(path, { version, v: version, limit: 200 })
  const items = listIn(whole, 'section', 'items') ?? []
  const isPaged = items.length > 1
  const plain = isPaged ? await ask(path, { version, v: version, limit: 1 }) : undefined
  const first = isPaged ? await ask(path, { version, v: version, limit: 1, page: 1 }) : undefined
  const assets = items.flatMap(({ asset }) => (isObject(asset) ? [asset] : []))
  const file = smallestFile(assets)
  const download = file && (await ask(`assets/${textIn(file, 'uuid')}/download`, {}, { isFile: true }))
  const address = textIn(objectOf(download?.result), 'url')
  const signed = URL.canParse(address) ? await ask('', {}, { isFile: true, url: new URL(address) }) : undefined
  const bytes = (signed ?? download)?.bytes
  const matches = file && bytes && hashOf(bytes, textIn(file, 'file_hash'))
  const fields = await ask('fields')
  return { ...evidence, whole, items, assets, plain, first, file, download, isLinked: address !== '', matches, fields }
}

/** Returns a list of records from the result of a response. */
function listIn(answer: Answer | undefined, ...path: string[]): Wire[] | undefined {
  let found: unknown = answer?.result
  for (const key of path) found = objectOf(found)[key]
  return Array.isArray(found) ? found.filter(isObject) : undefined
}

function textIn(record: Wire, key: string): string {
  const value = record[key]
  return typeof value === 'string' ? value : ''
}

/** Returns the smallest file, because a small file reveals as much about downloads as a large one. */
function smallestFile(assets: readonly Wire[]): Wire | undefined {
  const files = assets.filter(({ size, uuid }) => typeof uuid === 'string' && Number(size) > 0)
  return files.toSorted((a, b) => Number(a['size']) - Number(b['size']))[0]
}

/**
 * Returns whether the listed hash matches the bytes. Its length determines the algorithm. Returns undefined for an
 * unknown kind of hash.
 */
function hashOf(bytes: Uint8Array, listed: string): boolean | undefined {
  const algorithm = new Map([
    [32, 'md5'],
    [40, 'sha1'],
    [64, 'sha256'],
  ]).get(listed.length)
  return algorithm === undefined ? undefined : hash(algorithm, bytes, 'hex') === listed.toLowerCase()
}
