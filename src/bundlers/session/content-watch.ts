import { basename, resolve } from 'node:path'
import { ContentSpaceError, messageOf } from '../../errors.js'
import { isChange, type ContentCheck, type KitChange } from '../../catalog/changes.js'
import type { Options } from '../../config/options.js'
import { filesOfOptions, findProject } from '../../config/project.js'
import { watchFiles } from '../../disk/watch.js'
import type { Engine } from '../../engine/engine.js'
import { followContent, type Following } from '../../engine/follow-content.js'
import { countText, versionText } from '../../text/quantities.js'
import type { BundlerHost } from './host.js'
import type { LiveTexts, TextChanges } from './live-texts.js'

export type ContentWatch = ReturnType<typeof watchContent>

export interface WatchContext {
  options: Options
  host: BundlerHost
  /** Returns whether a page that displays content is open. If not, we don't send requests to the service. */
  isShown: () => boolean
  texts: Pick<LiveTexts, 'recheck' | 'markers'>
  /** Returns the engine in use. Rejects if it couldn't be opened. */
  engine: () => Promise<Engine>
  /** Makes `engine` try again after opening the engine has failed. */
  forgetFailure: () => void
  /** Opens an engine with the current options and replaces the one in use. Rejects if the options are invalid. */
  reopen: () => Promise<Engine>
  /** Called when content or options have changed, with everything that must be regenerated. */
  onChange: (changes: TextChanges) => void
}

/**
 * Checks for new content and new options while a bundler watches or serves. Watches a local folder. Requests a
 * service's drafts every `refresh` seconds while a page is open, and less often while nothing changes. Reloads all
 * content when another process changes the lockfile. If a check fails, warns once for each cause and keeps the content
 * that was loaded last.
 */
export function watchContent(context: WatchContext) {
  const { options, host, texts, engine, onChange } = context
  let queue: Promise<unknown> = Promise.resolve()
  let queuedCheck: Promise<boolean> | undefined
  let following: Promise<Following> | undefined
  let stopped = false
  /** The causes that have been reported since the last successful check. */
  const failures = new Set<unknown>()

  /** Runs a step after the earlier steps. */
  function enqueue<T>(step: () => Promise<T>): Promise<T | undefined> {
    const run = queue.then(() => (stopped ? undefined : step()))
    queue = run.catch(() => {})
    return run
  }

  function reportFailure(error: unknown): void {
    if (error === undefined) {
      if (failures.size > 0) host.log.info('content-space: The check for new content works again.')
      return failures.clear()
    }
    const code = error instanceof ContentSpaceError ? error.code : undefined
    if (!failures.has(code))
      host.log.warn(`${messageOf(error)}\nThe check for new content failed. The content loaded last stays in use.`)
    failures.add(code)
  }

  async function checkNow(): Promise<boolean> {
    queuedCheck = undefined
    const isFollowing = following !== undefined
    context.forgetFailure()
    const opened = await engine().catch(() => undefined)
    if (opened === undefined) return false
    const { changed, kits, error } = await opened.catalog
      .refresh()
      .catch((reason: unknown): ContentCheck => ({ changed: false, kits: [], error: reason }))
    const changes = await texts.recheck(changed)
    // A service may change the date or revision of a kit without changing its content.
    for (const kit of kits)
      if (changes.markers.size > 0 || isChange(kit)) host.log.info(`content-space: ${changeText(kit)}`)
    // If the engine has just been opened, anything that failed before may succeed now.
    if (!isFollowing || changed || changes.markers.size > 0) onChange(changes)
    // Report errors of modules too, because a kit that has never been loaded is requested only by the modules that need
    // it.
    reportFailure(error ?? changes.temporaryError)
    return changed
  }

  /**
   * Checks once for all callers that ask before the check begins.
   * @returns whether content has changed
   */
  function check(): Promise<boolean> {
    return (queuedCheck ??= enqueue(checkNow).then((changed) => changed === true))
  }

  function follow(opened: Engine): Promise<Following> {
    void stopLockfile()
    return followContent(opened.options, context.isShown, check, opened.space)
  }

  async function reload(file: string): Promise<void> {
    const name = basename(file)
    try {
      const opened = await context.reopen()
      const before = following
      following = follow(opened)
      await before?.then((one) => one.stop())
      const changes = await texts.recheck(true)
      const count = changes.modules.size + changes.files.size
      host.log.info(`content-space: ${name} has changed, and was loaded again: ${countText(count, 'module')} changed`)
      // Resolved ids contain options, so bundlers must resolve the imports of all modules again.
      onChange({ ...changes, markers: texts.markers() })
    } catch (error) {
      host.log.error(`${messageOf(error)}\n${name} has changed, but the options loaded last stay in use.`)
    }
  }

  /** Follows the content of the engine once the engine is open, unless we already follow one. */
  async function followOnce(): Promise<void> {
    const opened = await engine().catch(() => undefined)
    if (opened && !stopped) following ??= follow(opened)
  }

  void followOnce()
  // Watch the lockfile until an engine opens, because a mistake in it may be what prevents that.
  const lockfile = resolve(findProject(host.root).root, options.lockfile || 'content-space.lock.json')
  const stopLockfile = watchFiles([lockfile], () => void check())
  const stopConfig = watchFiles(filesOfOptions(host), (file) => void enqueue(() => reload(file)))
  return {
    async check(): Promise<void> {
      const current = await following
      current?.wake()
      await check()
    },
    follow: followOnce,
    wake: (): void => void following?.then((one) => one.wake()),
    async stop(): Promise<void> {
      stopped = true
      await Promise.all([stopConfig(), stopLockfile(), following?.then((one) => one.stop()), queue])
    },
  }
}

/** Returns a line such as `Brand Kit (draft): 2 changed, 1 added, 1 renamed`. */
function changeText({ name, version, changed, added, removed, renamed }: KitChange): string {
  const counts = Object.entries({ changed, added, removed, renamed }).filter(([, count]) => count > 0)
  const what = counts.length === 0 ? 'changed' : counts.map(([verb, count]) => `${count} ${verb}`).join(', ')
  return `${name} (${versionText(version)}): ${what}`
}
