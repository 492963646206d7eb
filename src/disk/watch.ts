import { unwatchFile, watchFile, type StatsListener } from 'node:fs'

export type Stop = () => Promise<void>

/** How long a folder must be quiet before a change is reported, because tools write several files for one change. */
const quietMilliseconds = 50

const pollMilliseconds = 400

/**
 * Watches the files below a folder, even after the folder is replaced.
 * @param onError called once if the system can't watch the files
 */
export async function watchFolder(folder: string, onChange: () => void, onError: () => void): Promise<Stop> {
  const { watch } = await import('chokidar')
  let timer: NodeJS.Timeout | undefined
  let failed = false

  function changed(): void {
    clearTimeout(timer)
    timer = setTimeout(onChange, quietMilliseconds).unref()
  }

  function open(): Stop {
    // Set `persistent: false`, so that the watcher doesn't keep the process alive.
    const watcher = watch(folder, { ignoreInitial: true, persistent: false })
    watcher.on('all', changed)
    // Changes before this event weren't detected.
    watcher.on('ready', changed)
    watcher.on('error', () => {
      if (!failed) onError()
      failed = true
    })
    return () => watcher.close()
  }

  let close = open()
  // A watcher follows the folder that it was opened for, not its path. A checkout may remove the folder and create it
  // again, and a link may change.
  const listener: StatsListener = (now, before) => {
    if (now.ino === before.ino) return
    void close()
    close = open()
  }
  watchFile(folder, { interval: pollMilliseconds, persistent: false }, listener)
  return async () => {
    unwatchFile(folder, listener)
    clearTimeout(timer)
    await close()
  }
}

/**
 * Watches single files, which may not exist yet. They are polled, because editors and tools replace them by renaming.
 */
export function watchFiles(files: readonly string[], onChange: (file: string) => void): Stop {
  const watched = [...new Set(files)].map((file): [string, StatsListener] => [
    file,
    (now, before) => {
      // Node also reports files that don't exist.
      if (now.mtimeMs !== before.mtimeMs || now.ino !== before.ino) onChange(file)
    },
  ])
  for (const [file, listener] of watched) watchFile(file, { interval: pollMilliseconds, persistent: false }, listener)
  return () => {
    for (const [file, listener] of watched) unwatchFile(file, listener)
    return Promise.resolve()
  }
}
