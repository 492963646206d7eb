import { createHash } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { eachLimit } from '../../async/each-limit.js'
import { ContentSpaceError, messageOf } from '../../errors.js'
import { omitUndefined } from '../../text/omit-undefined.js'
import { countText } from '../../text/quantities.js'
import { checkBytes, checkKit, checkRevision } from './check.js'
import type { Source, SourceAsset, SourceContext, SourceKit } from './source.js'

export interface TestSourceOptions {
  /** Changes the content, so that `revision` and `list` must return something else. Default: changes aren't tested. */
  change?: () => unknown
  /**
   * How many files to read, counting from the first.
   * @default all
   */
  files?: number
  /**
   * Milliseconds within which an aborted call must end.
   * @default 5000
   */
  patience?: number
}

const algorithms: Readonly<Record<number, string>> = { 32: 'md5', 40: 'sha1', 64: 'sha256' }

/** See the entry `testing`. */
export async function testSource(
  source: Source,
  options: TestSourceOptions = {},
): Promise<{ assets: number; files: number }> {
  const { change, files = Infinity, patience = 5000 } = options
  const missing = (['list', 'read'] as const).filter((method) => typeof source[method] !== 'function')
  if (missing.length > 0)
    throw problemsError(
      source,
      missing.map((method) => `${method}() is missing`),
    )
  const problems: string[] = []
  const context = contextOf(new AbortController().signal)
  const tried = async <T>(work: () => Promise<T>): Promise<T | undefined> => {
    try {
      return await work()
    } catch (error) {
      problems.push(messageOf(error).split('\n')[0] ?? '')
      return undefined
    }
  }
  const read = (): Promise<State | undefined> => tried(() => stateOfSource(source, context))

  const first = await read()
  const second = await read()
  if (first && second) problems.push(...differences(first, second))
  const tested = first?.kit.assets.filter(({ type }) => type.toUpperCase() !== 'COLOR').slice(0, files) ?? []
  await eachLimit(tested, 8, undefined, async (asset) => {
    await tried(async () => void problems.push(...(await problemsOf(source, asset, context))))
  })
  problems.push(...(await problemsOfAbort(source, tested[0], patience)))
  if (first && change) {
    await change()
    const after = await read()
    if (after) problems.push(...sameAfterChange(first, after))
  }
  if (problems.length === 0) return { assets: first?.kit.assets.length ?? 0, files: tested.length }
  // The next listing usually has the same problems.
  throw problemsError(source, [...new Set(problems)])
}

function problemsError({ name }: Source, lines: readonly string[]): ContentSpaceError {
  return new ContentSpaceError('sourceFailed', `Source ${name} has ${countText(lines.length, 'problem')}:`, { lines })
}

interface State {
  kit: SourceKit
  revision: string | undefined
}

async function stateOfSource(source: Source, context: SourceContext): Promise<State> {
  const revision = checkRevision(source, await source.revision?.(context))
  return { revision, kit: checkKit(source, await source.list(context)) }
}

function differences(first: State, second: State): string[] {
  const problems: string[] = []
  if (first.revision !== second.revision) problems.push('revision() differs between two calls')
  const [ids, again] = [first, second].map(({ kit }) => kit.assets.map(({ id }) => id))
  const isSameSet = JSON.stringify(ids?.toSorted()) === JSON.stringify(again?.toSorted())
  if (!isSameSet) problems.push('list() returns different ids when it is called again')
  else if (JSON.stringify(ids) !== JSON.stringify(again))
    problems.push('list() returns a different order when it is called again')
  else if (JSON.stringify(first.kit) !== JSON.stringify(second.kit))
    problems.push('list() returns different data when it is called again')
  return problems
}

/** Reads a file twice: with the asset as listed, and with only the fields that the lockfile has. */
async function problemsOf(source: Source, asset: SourceAsset, context: SourceContext): Promise<string[]> {
  const { id, name, type, hash, size } = asset
  const bytes = await bytesOf(source, asset, context)
  const locked = await bytesOf(source, { id, name, type, ...omitUndefined({ hash, size }) }, context)
  const found =
    hash === undefined
      ? undefined
      : createHash(algorithms[hash.length] ?? 'md5')
          .update(bytes)
          .digest('hex')
  return [
    ...(size === undefined || size === bytes.length
      ? []
      : [`read() of ${id} returns ${bytes.length} bytes, but list() says ${size}`]),
    ...(found === undefined || found === hash?.toLowerCase()
      ? []
      : [`read() of ${id} has the hash ${found}, but list() says ${hash}`]),
    ...(locked.equals(bytes)
      ? []
      : [`read() of ${id} returns different bytes when the asset has only id, name, type, hash and size`]),
  ]
}

async function bytesOf(source: Source, asset: SourceAsset, context: SourceContext): Promise<Buffer> {
  const found = checkBytes(source, await source.read(asset, context))
  if (found instanceof Uint8Array) return Buffer.from(found)
  if (found instanceof ReadableStream) return Buffer.from(await new Response(found).arrayBuffer())
  const response = await context.fetch(found.url, { headers: found.headers ?? {} })
  if (!response.ok) throw new Error(`read() of ${asset.id}: HTTP status ${response.status}`)
  return Buffer.from(await response.arrayBuffer())
}

/** Calls methods and aborts them immediately. They may succeed or fail, but must not keep running. */
async function problemsOfAbort(source: Source, asset: SourceAsset | undefined, patience: number): Promise<string[]> {
  const calls: [string, (context: SourceContext) => Promise<unknown>][] = [
    ['list()', (context) => source.list(context)],
  ]
  if (asset) calls.push(['read()', (context) => source.read(asset, context)])
  const ended = calls.map(async ([name, call]) => {
    const aborting = new AbortController()
    const running = call(contextOf(aborting.signal)).catch(() => {})
    aborting.abort()
    const isLate = Symbol('late')
    const result = await Promise.race([running, wait(patience, isLate, { ref: false })])
    return result === isLate ? [`${name} does not end within ${patience} ms of an abort: pass context.signal on`] : []
  })
  return (await Promise.all(ended)).flat()
}

function sameAfterChange(before: State, after: State): string[] {
  const isSame = JSON.stringify(before.kit) === JSON.stringify(after.kit)
  return [
    ...(isSame && before.revision === undefined ? ['list() returns the same after a change'] : []),
    ...(before.revision !== undefined && before.revision === after.revision
      ? ['revision() returns the same after a change']
      : []),
  ]
}

function contextOf(signal: AbortSignal): SourceContext {
  const kept = new Map<string, unknown>()
  return {
    signal,
    fetch: (input, init) => fetch(input, { signal, ...init }),
    store: {
      get: async (key) => kept.get(key),
      set: async (key, value) => void kept.set(key, structuredClone(value)),
    },
    log: () => {},
  }
}
