import { basename } from 'node:path'
import { messageOf } from '../../errors.js'
import type { ContentCheck, KitChange } from '../../catalog/changes.js'
import { watchFiles, type Stop } from '../../disk/watch.js'
import type { Engine } from '../../engine/engine.js'
import { followContent } from '../../engine/follow-content.js'
import { countText } from '../../text/quantities.js'
import { versionText } from '../../text/version.js'
import type { BundlerHost } from './host.js'
import type { LiveTexts, TextChanges } from './live-texts.js'

/** Looks for new content and new options while a bundler watches or serves. */
export interface ContentWatch {
  /** Looks now. */
  check(): Promise<void>
  /** Looks now, unless it did so within the time between two checks. */
  checkIfDue(): void
  /** Called when an engine was opened. Follows its content, unless one is followed already. */
  follow(): void
  stop(): Promise<void>
}

export interface WatchContext {
  host: BundlerHost
  texts: Pick<LiveTexts, 'recheck' | 'markers'>
  /** The engine in use. Rejects if it could not be opened. */
  engine: () => Promise<Engine>
  /** The engine in use. Opens another one if it could not be opened. */
  retry: () => Promise<Engine>
  /** Opens an engine with the present options in place of the one in use. Rejects if they are invalid. */
  reopen: () => Promise<Engine>
  /** Files that contain options. */
  configFiles: readonly string[]
  /** The lockfile to watch until an engine is open, which may not open because of it. */
  lockfile: string
  /** Called when content or options have changed, with what must be made again. */
  onChange: (changes: TextChanges) => void
}

/**
 * Starts to look for changes. A folder is watched. Drafts of a service are requested every `refresh` seconds, while
 * a page is connected. When another process changes the lockfile, all content is loaded again. When the service
 * cannot be reached, warns once and keeps the content that was loaded last.
 *
 * Longer than other functions, because its steps share the queue and what was reported last.
 */
export function watchContent(context: WatchContext): ContentWatch {
  const { host, texts, engine, onChange } = context
  let queue: Promise<unknown> = Promise.resolve()
  let isCheckQueued = false
  let stopContent: Promise<Stop> | undefined
  let stopped = false
  let failure = ''
  let refreshSeconds: number | false = false
  let lastCheck = Date.now()

  /** Runs a step after the earlier ones. */
  function enqueue(step: () => Promise<void>): Promise<void> {
    const run = queue.then(() => (stopped ? undefined : step()))
    queue = run.catch(() => {})
    return run
  }

  function reportFailure(error: unknown): void {
    const known = failure
    failure = error === undefined ? '' : messageOf(error)
    if (error === undefined && known !== '') host.log.info('content-space: The check for new content works again.')
    if (error !== undefined && known === '')
      host.log.warn(`${failure}\nThe check for new content failed. The content loaded last stays in use.`)
  }

  async function checkNow(): Promise<void> {
    lastCheck = Date.now()
    const isFollowing = stopContent !== undefined
    const opened = await context.retry().catch(() => undefined)
    if (opened === undefined) return
    const { changed, kits, error } = await opened.catalog
      .refresh()
      .catch((reason: unknown): ContentCheck => ({ changed: false, kits: [], error: reason }))
    const changes = await texts.recheck(changed)
    // A service may give a kit another date or revision without another content.
    for (const kit of kits)
      if (changes.markers.size > 0 || countOf(kit) > 0) host.log.info(`content-space: ${changeText(kit)}`)
    // What failed before an engine was open may succeed now.
    if (!isFollowing || changed || changes.markers.size > 0) onChange(changes)
    reportFailure(error)
  }

  function check(): Promise<void> {
    if (isCheckQueued) return queue.then(() => {})
    isCheckQueued = true
    return enqueue(() => {
      isCheckQueued = false
      return checkNow()
    })
  }

  function follow({ options }: Engine): Promise<Stop> {
    void stopLockfile()
    refreshSeconds = 'folder' in options.space ? false : options.refresh
    return followContent(
      options,
      () => host.connected(),
      () => void check(),
    )
  }

  async function reload(file: string): Promise<void> {
    const name = basename(file)
    try {
      const opened = await context.reopen()
      const stopBefore = stopContent
      stopContent = follow(opened)
      await stopBefore?.then((stop) => stop())
      const changes = await texts.recheck(true)
      const count = changes.modules.size + changes.files.size
      host.log.info(`content-space: ${name} has changed, and was loaded again: ${countText(count, 'module')} changed`)
      // Resolved ids contain options, so bundlers must resolve the imports of all modules again.
      onChange({ ...changes, markers: texts.markers() })
    } catch (error) {
      host.log.error(`${messageOf(error)}\n${name} has changed, but the options loaded last stay in use.`)
    }
  }

  function followOnce(): void {
    engine().then(
      (opened) => {
        if (!stopped) stopContent ??= follow(opened)
      },
      () => {},
    )
  }

  followOnce()
  const stopLockfile = watchFiles([context.lockfile], () => void check())
  const stopConfig = watchFiles(context.configFiles, (file) => void enqueue(() => reload(file)))
  return {
    check,
    follow: followOnce,
    checkIfDue() {
      if (refreshSeconds !== false && Date.now() - lastCheck >= refreshSeconds * 1000) void check()
    },
    async stop() {
      stopped = true
      await Promise.all([stopConfig(), stopLockfile(), stopContent?.then((stop) => stop()), queue])
    },
  }
}

/** Returns a line such as `Brand Kit (draft): 2 changed, 1 added, 1 renamed`. */
function changeText({ name, version, changed, added, removed, renamed }: KitChange): string {
  const counts = Object.entries({ changed, added, removed, renamed }).filter(([, count]) => count > 0)
  const what = counts.length === 0 ? 'changed' : counts.map(([verb, count]) => `${count} ${verb}`).join(', ')
  return `${name} (${versionText(version)}): ${what}`
}

function countOf({ changed, added, removed, renamed }: KitChange): number {
  return changed + added + removed + renamed
}
