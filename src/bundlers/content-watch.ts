import { existsSync, mkdirSync, readFileSync, unwatchFile, watchFile, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { BuildImporter } from '../importer.js'
import type { BundlerHost } from './host.js'

/** Looks for new content while a bundler runs. */
export interface ContentWatch {
  /** Changes when modules would come out differently: for bundlers to watch, each in its own way. */
  file: string
  stop(): Promise<void>
}

/**
 * Looks again at drafts every `refresh` seconds, and at everything when another process changes the lock.
 * A service that goes away is told once, and the content that is there goes on being used.
 * @param changed called before the file changes
 */
export function watchContent(importer: BuildImporter, log: BundlerHost['log'], changed: () => void): ContentWatch {
  const { root, refresh, lockfile } = importer.options
  const file = createMarker(root)
  let looking: Promise<void> | undefined
  let away = false

  const look = async (): Promise<void> => {
    try {
      if (await importer.refresh()) {
        changed()
        writeMarker(file, readMarker(file) + 1)
      }
      if (away) log.info('content-space: the service answers again')
      away = false
    } catch (error) {
      if (!away)
        log.warn(
          `${error instanceof Error ? error.message : String(error)}\nThe last content that was read stays in use.`,
        )
      away = true
    }
  }
  const lookOnce = (): void => {
    looking ??= look().finally(() => (looking = undefined))
  }

  const timer = refresh === false ? undefined : setInterval(lookOnce, refresh * 1000).unref()
  // Polled, for the lock is replaced by renaming, and does not exist before the first build.
  if (lockfile !== false) watchFile(lockfile, { interval: 500, persistent: false }, lookOnce)
  return {
    file,
    async stop() {
      clearInterval(timer)
      if (lockfile !== false) unwatchFile(lockfile, lookOnce)
      await looking
    },
  }
}

/** `.content-space/changes.json` holds how often content has changed: `{ "changes": 3 }` */
export function createMarker(root: string): string {
  const folder = join(root, '.content-space')
  const file = join(folder, 'changes.json')
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, '.gitignore'), '*\n')
  if (!existsSync(file)) writeMarker(file, 0)
  return file
}

function readMarker(file: string): number {
  return Number(/\d+/.exec(readFileSync(file, 'utf8'))?.[0] ?? 0)
}

function writeMarker(file: string, changes: number): void {
  writeFileSync(file, `${JSON.stringify({ changes })}\n`)
}
