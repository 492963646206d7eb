import { afterAll, afterEach, beforeAll } from 'vitest'
import * as v from 'valibot'
import { folderSpace } from '../../src/space/folder/space.js'
import type { ServerOptions } from '../../src/commands/serve/server.js'
import { brand, richSpace, serveSpace, type ServedSpace, type SpaceFolder } from './space.js'

const envelopeSchema = v.strictObject({
  success: v.boolean(),
  result: v.optional(v.unknown()),
  error: v.optional(v.strictObject({ code: v.number(), message: v.string() })),
  server_clock: v.pipe(v.number(), v.integer()),
})
type Envelope = v.InferOutput<typeof envelopeSchema>

/** A server of the rich space, which the tests in a file share. */
export interface Bench {
  space: SpaceFolder
  server: ServedSpace
  /** The uuids of sections and assets in the draft of the kit `brand`, by name. */
  ids: Record<string, string>
  /** Starts another server for one test. */
  serve(options: Omit<ServerOptions, 'folder'>, folder?: string): Promise<ServedSpace>
  ask(path: string, options?: { of?: ServedSpace; method?: string }): Promise<Response>
  result(path: string, of?: ServedSpace): Promise<unknown>
}

/** Starts the server before the tests of a file and stops it after them. */
export function useBench(): () => Bench {
  let bench: Bench | undefined
  const more: ServedSpace[] = []
  const opened = () => {
    if (!bench) throw new Error('The bench is open in tests alone.')
    return bench
  }
  beforeAll(async () => {
    const space = await richSpace()
    const server = await serveSpace(space.folder)
    const ask: Bench['ask'] = (path, { of = server, method = 'GET' } = {}) => {
      const headers = { authorization: basic(of.spaceId, of.token) }
      return fetch(of.url + path, { method, headers, redirect: 'manual', signal: AbortSignal.timeout(20_000) })
    }
    bench = {
      space,
      server,
      ids: await idsOf(space.folder),
      async serve(options, folder = space.folder) {
        const other = await serveSpace(folder, options)
        more.push(other)
        return other
      },
      ask,
      result: async (path, of = server) => (await envelope(await ask(path, { of }))).result,
    }
  })
  afterEach(async () => {
    await Promise.all(more.splice(0).map((other) => other.close()))
  })
  afterAll(async () => {
    await opened().server.close()
    await opened().space.remove()
  })
  return opened
}

export function basic(user: unknown, password: string): string {
  return `Basic ${Buffer.from(`${String(user)}:${password}`).toString('base64')}`
}

/** Parses a response as an envelope without other fields. */
export async function envelope(response: Response): Promise<Envelope> {
  return v.parse(envelopeSchema, await response.json())
}

async function idsOf(path: string): Promise<Record<string, string>> {
  const folder = folderSpace(path)
  const { sections } = await folder.outline(brand.uuid, 0)
  const items = await Promise.all(sections.map(async ({ uuid }) => (await folder.section(uuid, 0)).items))
  const assets = items.flat().flatMap(({ asset }) => (asset ? [[asset.name, asset.uuid] as const] : []))
  return Object.fromEntries([...sections.map(({ name, uuid }) => [name, uuid] as const), ...assets])
}
