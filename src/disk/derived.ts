import * as v from 'valibot'
import { jsonOf } from '../text/json.js'
import { integrityOf, type ByteStore } from './content.js'

/** A kind of value that every run derives. */
export interface Kind<T> {
  name: string
  /** Validates a value from the cache, because any process may have written it. Invalid values aren't kept, either. */
  schema: v.GenericSchema<T>
  /** Whether the value also depends on the lockfile. */
  locked?: boolean
}

/**
 * Values that runs have derived. Each is stored under a digest of all its inputs, so it is never stale. Missing,
 * damaged or invalid values are made again.
 */
export interface Derived {
  find<T>(this: void, kind: Kind<T>, inputs: unknown): T | undefined
  /** Keeps a value. Runs find a value of a locked kind only if they start with the lockfile that `save` receives. */
  keep<T>(this: void, kind: Kind<T>, inputs: unknown, value: NoInfer<T>): void
  /** Returns the value for these inputs, or makes it. */
  get<T>(this: void, kind: Kind<T>, inputs: unknown, make: () => Promise<NoInfer<T>>): Promise<T>
  /**
   * Writes what was kept since the last call.
   * @param lock returns `sha256-…` of the lockfile that values of locked kinds depend on. Without it, these values
   *   aren't written. Called only if there are such values.
   */
  save(this: void, lock?: () => Promise<string | undefined>): Promise<void>
}

/**
 * The factor by which kept values may outnumber the values of this run, because other runs, such as a server build, use
 * different values.
 */
const variants = 4

/** Derives everything again. For long-running processes, and for content that isn't locked. */
export const noDerived: Derived = {
  find: () => undefined,
  keep: () => {},
  get: (_kind, _inputs, make) => make(),
  save: async () => {},
}

/**
 * Opens the values that runs have kept under a key of a store. All values share one entry, because opening files takes
 * longer than reading their bytes.
 * @param lock `sha256-…` of the lockfile, if it exists
 */
export async function openDerived(store: ByteStore, key: string, lock: string | undefined): Promise<Derived> {
  const values = await readValues(store, key)
  const used = new Set<string>()
  /** Values of locked kinds. The keys of these values aren't known until the lockfile is written. */
  const locked: ((lock: string) => [key: string, value: unknown])[] = []
  let isNew = false

  function find<T>(kind: Kind<T>, inputs: unknown): T | undefined {
    const name = nameOfValue(kind, inputs, lock)
    const value = values.get(name)
    if (!v.is(kind.schema, value)) return undefined
    used.add(name)
    return value
  }

  function keep<T>(kind: Kind<T>, inputs: unknown, value: T): void {
    if (!v.is(kind.schema, value)) return
    if (kind.locked) return void locked.push((now) => [nameOfValue(kind, inputs, now), value])
    const name = nameOfValue(kind, inputs, undefined)
    values.set(name, value)
    used.add(name)
    isNew = true
  }

  return {
    find,
    keep,
    async get(kind, inputs, make) {
      const known = find(kind, inputs)
      if (known !== undefined) return known
      const value = await make()
      keep(kind, inputs, value)
      return value
    },
    async save(lockNow) {
      const now = locked.length > 0 ? await lockNow?.() : undefined
      const added = now === undefined ? [] : locked.splice(0).map((entry) => entry(now))
      if (!isNew && added.length === 0) return
      const own = new Map([...[...values].filter(([name]) => used.has(name)), ...added])
      // Another process may have written in the meantime, so we keep the values of both.
      const all = new Map([...(await readValues(store, key)), ...values])
      const others = [...all].filter(([name]) => !own.has(name))
      const kept = [...own, ...others.slice(0, own.size * (variants - 1))]
      await store.put(key, Buffer.from(JSON.stringify(kept)))
      isNew = false
    },
  }
}

function nameOfValue({ name, locked = false }: Kind<unknown>, inputs: unknown, lock: string | undefined): string {
  return integrityOf(JSON.stringify([name, inputs, locked ? lock : null]))
}

/** Reads the values of an entry by their names. Returns an empty map for an invalid entry. */
async function readValues(store: ByteStore, key: string): Promise<Map<string, unknown>> {
  const entry = await store.peek(key)
  const value = entry && jsonOf(Buffer.from(entry.bytes).toString())
  const isList = Array.isArray(value) && value.every((one) => Array.isArray(one) && typeof one[0] === 'string')
  return new Map(isList ? value : [])
}
