import { resolve } from 'node:path'
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
import { createLiveTexts, type TextChanges } from './live-texts.js'

export type { Session } from './api.js'

const content = () => import('./content.js')

/** How long a dev server, which has no builds, keeps a failure. */
const failureMilliseconds = 1000

/**
 * Longer than other functions, because its methods share the engine.
 * @param fixed facts that a framework knows better than its bundler
 */
export function openSession(options: Options, fixed: Partial<BundlerHost> = {}): Session {
  const { host, configure } = createHost(fixed)
  const origins = createImportOrigins()
  const texts = createLiveTexts()
  const reports = createReports()
  const writer = createProjectWriter(host, () => openOnce())
  const listeners = new Set<(changes: TextChanges) => void>()
  const followers: Session['followers'] = new Set()
  const tell = (what: 'content' | 'source'): void => followers.forEach((follower) => follower(what))
  /** Project folders by the root of the bundler. */
  const roots: Record<string, string> = {}
  let engine: Promise<Engine> | undefined
  let failed: Promise<Engine> | undefined
  /** Engines that were replaced. Requests that they have received go on. */
  const replaced: Engine[] = []
  let watch: Promise<ContentWatch | void> | undefined
  let starting: Promise<void> | undefined
  let warnedOfFileUrls = false
  let warnedOfMarkers = false
  let waiting: Waiting | undefined

  const logError = (error: unknown): void => host.log.error(messageOf(error))

  const create = async () => (await content()).openEngine(options, host)

  /** Lets the next load open an engine again. Until then, the loads of a build share a failure. */
  function forgetFailure(): void {
    if (engine === failed) engine = undefined
  }

  function open(): Promise<Engine> {
    const opening = create()
    opening.then(
      () => void watch?.then((started) => started?.follow()),
      () => {
        failed = opening
        setTimeout(() => host.command !== 'build' && forgetFailure(), failureMilliseconds).unref()
      },
    )
    return opening
  }

  function openOnce(from?: string): Promise<Engine> {
    engine ??= open()
    const opening = engine
    void startWatch()
    return withOrigin({ importer: from }, () => opening)
  }

  /** Runs a step. In a dev server or a bundler that watches, prints what it waits for if it takes long. */
  async function waitFor<T>(what: Request | FileDescriptor, step: () => Promise<T>): Promise<T> {
    if (host.command === 'build') return step()
    const [opened, { createWaiting, contentOf }] = await Promise.all([
      openOnce().catch(() => undefined),
      import('./waiting.js'),
    ])
    waiting ??= createWaiting((line) => host.log.info(line))
    const text = 'kind' in what ? contentOf(what) : `file ${what.name}.${what.ext}`
    return opened === undefined ? step() : waiting.during(opened.space.label, text, step)
  }

  async function reopen(): Promise<Engine> {
    const before = await engine?.catch(() => undefined)
    // The names that this run has given stay.
    if (before !== undefined) await (await content()).finish(before).catch(() => {})
    const opened = await create()
    if (before !== undefined) replaced.push(before)
    engine = Promise.resolve(opened)
    return opened
  }

  /** Warns once that a marker cannot be written. All else works without markers. */
  async function warnOfMarker(error: unknown): Promise<undefined> {
    if (!warnedOfMarkers)
      host.log.warn(`${messageOf(error)}\nWithout it, bundlers that watch files do not notice new content.`)
    warnedOfMarkers = true
  }

  async function report(root: string, changes: TextChanges): Promise<void> {
    const { countChange, ALL } = await content()
    for (const marker of new Set([...changes.markers, ALL])) await countChange(root, marker).catch(warnOfMarker)
    for (const listener of listeners) listener(changes)
    tell('content')
    writer.writeSoon()
  }

  /** Starts to look for changes, once. @returns undefined in a single build */
  function startWatch(): Promise<ContentWatch | void> | undefined {
    if (host.command === 'build' || !host.watches) return undefined
    return (watch ??= (async () => {
      const [{ watchContent }, { filesOfOptions }] = await Promise.all([import('./content-watch.js'), content()])
      const root = await projectRoot()
      return watchContent({
        host,
        texts,
        engine: () => openOnce(),
        retry() {
          forgetFailure()
          return openOnce()
        },
        reopen,
        configFiles: filesOfOptions(host),
        lockfile: resolve(root, options.lockfile || 'content-space.lock.json'),
        onChange: (changes) => void report(root, changes).catch(logError),
      })
    })().catch(logError))
  }

  /** Finds the project folder once, because each module asks for it. */
  async function projectRoot(): Promise<string> {
    return (roots[host.root] ??= (await content()).findProject(host.root).root)
  }

  async function watchedFile(request?: Request): Promise<string | undefined> {
    const isWatching = startWatch() !== undefined
    if ((!isWatching && !host.mayWatch) || (request !== undefined && listeners.size > 0)) return undefined
    const [{ createMarker, markerOf, markerPath }, root] = await Promise.all([content(), projectRoot()])
    const name = request && markerOf(request)
    return isWatching ? createMarker(root, name).catch(warnOfMarker) : markerPath(root, name)
  }

  /** Writes the files of option `tokens`, which the source may contain. */
  async function prepare(): Promise<void> {
    const opened = await openOnce()
    if (opened.options.tokens.length > 0) await (await content()).prepare(opened)
  }

  async function start(): Promise<void> {
    const { hasTokenFiles } = await import('../../config/has-token-files.js')
    if (!(await hasTokenFiles(options, host))) return
    // A dev server starts with an invalid lockfile, too, and writes the files when it is repaired.
    await prepare().catch((error: unknown) => {
      if (host.command === 'build') throw error
      host.log.warn(messageOf(error))
    })
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
    start() {
      reports.clear()
      forgetFailure()
      starting ??= start().catch((error: unknown) => {
        starting = undefined
        throw error
      })
      return starting
    },
    ...fileAccess({ origins, host, reports }, openOnce, waitFor),
    watchedFile,
    onChange(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    followers,
    isFollowed: () => listeners.size > 0,
    async check(onlyIfDue = false) {
      const started = await watch
      if (onlyIfDue) started?.checkIfDue()
      else await started?.check()
    },
    warnOfFileUrls() {
      if (!warnedOfFileUrls) host.log.warn(FILE_URLS)
      warnedOfFileUrls = true
    },
    sourceChanged(file) {
      writer.sourceChanged(file)
      tell('source')
    },
    async finish() {
      if (engine !== undefined) await writer.finish(await engine)
    },
    async close() {
      // If the engine could not be opened, a hook has reported the error.
      const closing = engine?.catch(() => undefined)
      const stopping = watch?.then((started) => started?.stop())
      engine = undefined
      starting = undefined
      watch = undefined
      texts.clear()
      await Promise.all([stopping, writer.close(), ...replaced.splice(0).map((one) => one.close())])
      const opened = await closing
      await opened?.close()
    },
  }
}

const FILE_URLS =
  'content-space: This build runs in Node and refers to assets by file: URLs, which browsers do not load. ' +
  'If it renders pages, set option publicPath to the address of the assets.'
