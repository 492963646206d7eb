import { readFile } from 'node:fs/promises'
import type { ResolvedOptions } from '../../config/options.js'
import type { Engine } from '../../engine/engine.js'
import { locationsOf } from '../../space/places.js'
import { hostOf, openForFlags, optionsOf, type CommonFlags } from '../../terminal/flags.js'
import { openWaiting } from '../../terminal/waiting.js'
import type { Terminal } from '../../terminal/terminal.js'

interface Kept {
  engine: Engine
  /** Changes when the options or the lockfile change. */
  state: string
  /** When it was opened, in milliseconds. */
  since: number
  users: number
}

/**
 * Keeps the engine of a project between calls, so that a process loads each kit once. Opens a new engine when the
 * options or the lockfile have changed and, for drafts of a service, as often as option `refresh` specifies.
 */
export function keepEngine(terminal: Terminal, flags: CommonFlags) {
  const open = new Set<Kept>()
  let current: Kept | undefined
  let checking: Promise<Kept> | undefined

  async function check(): Promise<Kept> {
    const { resolveOptions } = await import('../../config/resolve.js')
    const resolved = await resolveOptions(optionsOf(flags, terminal.cwd), hostOf(terminal, flags))
    const state = await stateOfProject(resolved)
    if (current?.state === state && !isOld(current)) {
      await follow(current.engine)
      return current
    }
    const waiting = openWaiting(terminal, flags.json === true)
    const engine = await openForFlags(terminal, flags, waiting, { resolved }).finally(waiting.end)
    const before = current
    current = { engine, state, since: performance.now(), users: 0 }
    open.add(current)
    if (before?.users === 0) await close(before)
    return current
  }

  async function close(kept: Kept): Promise<void> {
    open.delete(kept)
    kept.engine.stats.summary().warnings.forEach(terminal.warn)
    await kept.engine.close()
  }

  return {
    /** Runs work with an engine for the current files of the project. Concurrent calls share the check for changes. */
    async use<T>(this: void, work: (engine: Engine) => Promise<T>): Promise<T> {
      checking ??= check().finally(() => (checking = undefined))
      const kept = await checking
      kept.users++
      try {
        return await work(kept.engine)
      } finally {
        kept.users--
        if (kept !== current && kept.users === 0 && open.has(kept)) await close(kept)
      }
    },
    /** Aborts running calls. */
    async close(this: void): Promise<void> {
      await Promise.all([...open].map(close))
    },
  }
}

async function stateOfProject(resolved: ResolvedOptions): Promise<string> {
  const { lockfile } = resolved
  const credentials = locationsOf(resolved).map((place) => ('address' in place ? place.credentials.header() : ''))
  const lock = lockfile === false ? '' : await readFile(lockfile, 'utf8').catch(() => '')
  const options = JSON.stringify(resolved, (_key, value: unknown) => (value instanceof Map ? [...value] : value))
  return JSON.stringify([options, credentials, lock])
}

/** Returns whether it is time to list drafts of a service again. */
function isOld({ engine: { options, space, stats }, since }: Kept): boolean {
  if (space.local || options.refresh === false || performance.now() - since < options.refresh * 1000) return false
  return stats.summary().kits.some(({ version }) => version === 0)
}

/** Reads changes to the source and to spaces that are folders. */
async function follow(engine: Engine): Promise<void> {
  const { space } = engine
  const { main = space, own = [] } = space.routes ?? {}
  if (![main, ...new Map(own).values()].some(({ local }) => local)) return
  const { refresh } = await import('../shared/kits.js')
  await refresh(engine)
}
