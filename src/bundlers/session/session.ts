import { keepCompiledCode } from '../../disk/compile-cache.js'
import { messageOf } from '../../errors.js'
import type { Options } from '../../config/options.js'
import type { FileDescriptor } from '../../files/plan.js'
import type { Engine } from '../../engine/engine.js'
import type { Request } from '../../request/request.js'
import type { Session } from './api.js'
import { createProjectWriter } from './project-writer.js'
import type { ContentWatch } from './content-watch.js'
import { createReports } from '../reports.js'
import { createHost, type BundlerHost } from './host.js'
import { createImportOrigins, fileAccess, importAccess, withOrigin } from './import-origins.js'
import type { Waiting } from './waiting.js'
import type { ImportSite } from '../../source/import-site.js'
import { createLiveTexts, type TextChanges } from './live-texts.js'

export type { Session } from './api.js'

/** Loads most of the package. Called when the first id is seen. */
export const content = async () => {
  keepCompiledCode()
  return import('./content.js')
}

/**
 * Milliseconds for which a dev server remembers a failure. Unlike builds, it doesn't have an event that would clear it.
 */
const failureMilliseconds = 1000

/** @param fixed properties that a framework knows better than its bundler */
export function openSession(options: Options, fixed: Partial<BundlerHost> = {}): Session {
  const { host, configure } = createHost(fixed)
  const origins = createImportOrigins()
  const texts = createLiveTexts()
  const reports = createReports()
  const engines = createCurrentEngine(options, host, () => void watch?.then((started) => started?.follow()))
  const writer = createProjectWriter(host, openOnce)
  const waitFor = createWaitFor(host, openOnce)
  const { subscriptions, tell, notify } = createNotifier(host, startWatch)
  let watch: Promise<ContentWatch | void> | undefined
  let starting: Promise<void> | undefined
  let warnedOfFileUrls = false

  const wake = (): void => void watch?.then((started) => started?.wake())
  const logError = (error: unknown): void => host.log.error(messageOf(error))

  /** @param site the import that needs the engine, for errors */
  function openOnce(site?: ImportSite): Promise<Engine> {
    const opening = engines.get()
    void startWatch()
    return withOrigin(site, () => opening)
  }

  /**
   * Starts to check for changes, once.
   * @returns undefined in a single build
   */
  function startWatch(): Promise<ContentWatch | void> | undefined {
    if (host.command === 'build' || !host.watches || host.isChild) return undefined
    return (watch ??= (async () => {
      const { watchContent } = await import('./content-watch.js')
      return watchContent({
        options,
        host,
        isShown: () => host.connected() || [...subscriptions.followers].some((follower) => follower.isShown()),
        texts,
        engine: openOnce,
        forgetFailure: engines.forgetFailure,
        reopen: engines.replace,
        onChange: (changes) => void notify(changes).then(writer.writeSoon).catch(logError),
      })
    })().catch(logError))
  }

  return {
    options,
    host,
    configure,
    origins,
    engine: () => openOnce(),
    ...importAccess({ texts, origins, host, open: openOnce, waitFor, onModule: writer.writeSoon }),
    release: (file) => texts.release(file),
    reports,
    begin: writer.begin,
    start() {
      reports.clear()
      // Outside watch mode, consecutive builds, such as the client and the server build, share one summary.
      if (host.command === 'watch') writer.begin()
      engines.forgetFailure()
      starting ??= writeTokenFiles(options, host, openOnce).catch((error: unknown) => {
        starting = undefined
        throw error
      })
      return starting
    },
    ...fileAccess({ origins, host, reports }, openOnce, waitFor),
    ...subscriptions,
    async check() {
      const started = await watch
      await started?.check()
    },
    wake,
    warnOfFileUrls() {
      if (!warnedOfFileUrls) host.log.warn(FILE_URLS)
      warnedOfFileUrls = true
    },
    sourceChanged(file) {
      writer.sourceChanged(file)
      tell('source')
      wake()
    },
    async finish() {
      const engine = engines.peek()
      if (engine) await writer.finish(await engine)
    },
    async close() {
      const stopping = watch?.then((started) => started?.stop())
      starting = undefined
      watch = undefined
      texts.clear()
      await engines.close(Promise.all([stopping, writer.close()]))
    },
  }
}

/**
 * Manages the current engine of a session. Opens it when it is needed and replaces it when options change.
 * @param onOpen called when the first engine is opened, but not when an engine is replaced
 */
function createCurrentEngine(options: Options, host: BundlerHost, onOpen: () => void) {
  let current: Promise<Engine> | undefined
  let failed: Promise<Engine> | undefined
  /** Engines that have been replaced. They stay open because earlier requests may still use them. */
  const replaced: Engine[] = []

  async function create(): Promise<Engine> {
    const { openEngine, createBuildCounts, createWaitListener } = await content()
    // Report waits, because a build that waits for minutes would otherwise seem to hang.
    const event = createWaitListener((line) => host.log.info(`content-space: ${line}`))
    const counts = host.together && (host.together.counts ??= createBuildCounts())
    return openEngine(options, { ...host, counts }, undefined, { event })
  }

  /** Makes the next load try to open an engine again. Until then, all loads of a build share the failure. */
  function forgetFailure(): void {
    if (current === failed) current = undefined
  }

  function open(): Promise<Engine> {
    const opening = create()
    opening.then(onOpen, () => {
      failed = opening
      setTimeout(() => host.command !== 'build' && forgetFailure(), failureMilliseconds).unref()
    })
    return opening
  }

  return {
    get: (): Promise<Engine> => (current ??= open()),
    peek: () => current,
    forgetFailure,
    /** Opens another engine and switches to it. If that fails, keeps the current one. */
    async replace(this: void): Promise<Engine> {
      const before = await current?.catch(() => undefined)
      // Finish the previous engine's run first, so that the names that it has assigned stay the same.
      if (before) await (await content()).finish(before).catch(() => {})
      const opened = await create()
      if (before) replaced.push(before)
      current = Promise.resolve(opened)
      return opened
    },
    /**
     * Closes all engines.
     * @param writes pending writes that still use the engine; waits for them first
     */
    async close(writes: Promise<unknown>): Promise<void> {
      // If the engine couldn't be opened, a hook has already reported the error.
      const closing = current?.catch(() => undefined)
      current = undefined
      await Promise.all([writes, ...replaced.splice(0).map((one) => one.close())])
      const opened = await closing
      await opened?.close()
    },
  }
}

/**
 * Notifies a bundler that content has changed, either through marker files, which it watches, or through a listener.
 * @param startWatch starts checking for changes; returns undefined in a single build
 */
function createNotifier(host: BundlerHost, startWatch: () => unknown) {
  const listeners = new Set<(changes: TextChanges) => void>()
  const followers: Session['followers'] = new Set()
  const tell = (what: 'content' | 'source'): void => followers.forEach((one) => one.notify(what))
  /** The project folders by the bundler's root. */
  const roots: Record<string, string> = {}
  let warnedOfMarkers = false

  /** Finds the project folder only once, because every module needs it. */
  async function projectRoot(): Promise<string> {
    return (roots[host.root] ??= (await import('../../config/project.js')).findProject(host.root).root)
  }

  /** Warns once that a marker can't be written. Everything else works without markers. */
  async function warnOfMarker(error: unknown): Promise<undefined> {
    if (!warnedOfMarkers)
      host.log.warn(`${messageOf(error)}\nWithout it, bundlers that watch files do not notice new content.`)
    warnedOfMarkers = true
  }

  const subscriptions: Pick<Session, 'watchedFile' | 'onChange' | 'followers' | 'isFollowed'> = {
    async watchedFile(request) {
      const isWatching = startWatch() !== undefined
      if ((!isWatching && !host.mayWatch) || (request !== undefined && listeners.size > 0)) return undefined
      const [{ createMarker, markerOf, markerPath }, root] = await Promise.all([import('./markers.js'), projectRoot()])
      const name = request && markerOf(request)
      return isWatching ? createMarker(root, name).catch(warnOfMarker) : markerPath(root, name)
    },
    onChange(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    followers,
    isFollowed: () => listeners.size > 0,
  }

  return {
    subscriptions,
    tell,
    /** Tells the bundler and all listeners what must be regenerated. */
    async notify(this: void, changes: TextChanges): Promise<void> {
      const [{ countChange, ALL }, root] = await Promise.all([import('./markers.js'), projectRoot()])
      for (const marker of new Set([...changes.markers, ALL])) await countChange(root, marker).catch(warnOfMarker)
      for (const listener of listeners) listener(changes)
      tell('content')
    },
  }
}

/** Returns a function that runs a step. In serve and watch modes, it also reports steps that take a long time. */
function createWaitFor(host: BundlerHost, open: () => Promise<Engine>) {
  let waiting: Waiting | undefined
  return async <T>(what: Request | FileDescriptor, step: () => Promise<T>): Promise<T> => {
    if (host.command === 'build') return step()
    const [opened, { createWaiting, contentOf }] = await Promise.all([
      open().catch(() => undefined),
      import('./waiting.js'),
    ])
    waiting ??= createWaiting((line) => host.log.info(line))
    const text = 'kind' in what ? contentOf(what) : `file ${what.name}.${what.ext}`
    return opened === undefined ? step() : waiting.during(opened.space, text, step)
  }
}

/** Writes the files of the option `tokens`, which the source may import. */
async function writeTokenFiles(options: Options, host: BundlerHost, open: () => Promise<Engine>): Promise<void> {
  const { hasTokenFiles } = await import('../../config/has-token-files.js')
  if (host.isChild || !(await hasTokenFiles(options, host))) return
  try {
    const opened = await open()
    if (opened.options.tokens.length > 0) await (await content()).prepare(opened)
  } catch (error) {
    // A dev server starts even with an invalid lockfile, and writes the files once the lockfile is repaired.
    if (host.command === 'build') throw error
    host.log.warn(messageOf(error))
  }
}

const FILE_URLS =
  'content-space: This build runs in Node and refers to assets by file: URLs or file names, which pages cannot use. ' +
  'If it renders pages, set option publicPath to the address of the assets.'
