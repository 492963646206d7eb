import { existsSync, readFileSync, unwatchFile, utimesSync, watchFile, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { projectFolder } from '../../disk/project-folder.js'
import type { BuildImporter } from '../../importer.js'
import type { BundlerHost } from './host.js'

/** Checks for new content while a bundler watches or serves. */
export interface ContentWatch {
  /** A file that changes whenever generated modules change. The bundler watches it. */
  file: string
  stop(): Promise<void>
}

/**
 * Checks drafts every `refresh` seconds, and all content when another process changes the lockfile. When the service
 * cannot be reached, warns once and keeps the content that was loaded last.
 * @param beforeChange called before the file changes
 */
export function watchContent(importer: BuildImporter, log: BundlerHost['log'], beforeChange: () => void): ContentWatch {
  const { root, refresh, lockfile } = importer.options
  const file = createMarker(root)
  let currentCheck: Promise<void> | undefined
  let unreachable = false

  async function check(): Promise<void> {
    try {
      if (await importer.refresh()) {
        beforeChange()
        writeMarker(file, readMarker(file) + 1)
      }
      if (unreachable) log.info('content-space: The check for new content works again.')
      unreachable = false
    } catch (error) {
      if (!unreachable)
        log.warn(`${messageOf(error)}\nThe check for new content failed. The content loaded last stays in use.`)
      unreachable = true
    }
  }
  function checkOnce(): void {
    currentCheck ??= check().finally(() => (currentCheck = undefined))
  }

  const timer = refresh === false ? undefined : setInterval(checkOnce, refresh * 1000).unref()
  // Polled, because the lockfile is replaced by renaming, and does not exist before the first build.
  if (lockfile !== false) watchFile(lockfile, { interval: 500, persistent: false }, checkOnce)
  return {
    file,
    async stop() {
      clearInterval(timer)
      if (lockfile !== false) unwatchFile(lockfile, checkOnce)
      await currentCheck
    },
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

/** Creates `.content-space/changes.json`, which counts changes of content: `{ "changes": 3 }` */
export function createMarker(root: string): string {
  const file = join(projectFolder(root), 'changes.json')
  if (!existsSync(file)) {
    writeMarker(file, 0)
    // webpack builds again if a file that it starts to watch is newer than the build.
    utimesSync(file, LONG_AGO, LONG_AGO)
  }
  return file
}

/** One second after the epoch, because webpack takes 0 for an unknown date. */
const LONG_AGO = new Date(1000)

function readMarker(file: string): number {
  return Number(/\d+/.exec(readFileSync(file, 'utf8'))?.[0] ?? 0)
}

function writeMarker(file: string, changes: number): void {
  writeFileSync(file, `${JSON.stringify({ changes })}\n`)
}
