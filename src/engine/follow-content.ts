import type { ResolvedOptions } from '../config/options.js'
import { locationsOf } from '../space/places.js'
import type { Space } from '../space/space.js'
import { watchFiles, watchFolder, type Stop } from '../disk/watch.js'

/** The longest pause between two checks of a service, unless `refresh` is longer. */
const longestSeconds = 300

export interface Following {
  stop: Stop
  /**
   * Ends a long pause when someone is working. If the last check is older than option `refresh`, checks immediately.
   */
  wake(this: void): void
}

/**
 * Calls `check` when the content of a project may have changed. Watches the lockfile and folders. Polls services at
 * intervals that double while nothing changes.
 * @param isShown whether anyone sees the content. If not, services aren't polled.
 * @param check returns whether it found changes
 * @param space the space whose source objects are watched, if they can report changes
 */
export async function followContent(
  options: Pick<ResolvedOptions, 'space' | 'sources' | 'refresh' | 'lockfile'>,
  isShown: () => boolean,
  check: () => Promise<boolean>,
  space?: Space,
): Promise<Following> {
  const { refresh, lockfile } = options
  const checkNow = (): void => void check()
  const stops: Stop[] = lockfile === false ? [] : [watchFiles([lockfile], checkNow)]
  const stop = async (): Promise<void> => void (await Promise.all(stops.map((one) => one())))
  if (refresh === false) return { stop, wake() {} }
  const places = locationsOf(options)
  for (const place of places) {
    if (!('folder' in place)) continue
    // If the system can't watch more files, poll them. The intervals don't grow, because polling files doesn't cost
    // requests.
    const seconds = Math.min(refresh, 2)
    const onError = (): void => void stops.push(poll({ seconds, longest: seconds, isShown, check }).stop)
    await watchFolder(place.folder, checkNow, onError).then((one) => stops.push(one), onError)
  }
  for (const one of new Set(space?.routes?.own.values())) {
    const unwatch = one.watch?.(checkNow)
    if (unwatch) stops.push(async () => unwatch())
  }
  if (places.every((place) => 'folder' in place || ('source' in place && 'watch' in place.source)))
    return { stop, wake() {} }
  const longest = Math.max(refresh, Math.min(10 * refresh, longestSeconds))
  const service = poll({ seconds: refresh, longest, isShown, check })
  stops.push(service.stop)
  return { stop, wake: service.wake }
}

interface PollOptions {
  /** The shortest pause, which follows a change. */
  seconds: number
  longest: number
  isShown: () => boolean
  check: () => Promise<boolean>
}

function poll({ seconds, longest, isShown, check }: PollOptions): Following {
  let pause = seconds
  let checked = performance.now()
  let isStopped = false
  let isWoken = false
  let timer: NodeJS.Timeout | undefined

  function schedule(milliseconds: number): void {
    clearTimeout(timer)
    if (!isStopped) timer = setTimeout(() => void tick(), Math.max(0, milliseconds)).unref()
  }

  async function tick(): Promise<void> {
    if (!isShown()) return schedule(seconds * 1000)
    checked = performance.now()
    isWoken = false
    const hasChanged = await check()
    pause = hasChanged || isWoken ? seconds : Math.min(2 * pause, longest)
    schedule(checked + pause * 1000 - performance.now())
  }

  schedule(seconds * 1000)
  return {
    async stop() {
      isStopped = true
      clearTimeout(timer)
    },
    wake() {
      pause = seconds
      isWoken = true
      const milliseconds = checked + seconds * 1000 - performance.now()
      if (milliseconds > 0) schedule(milliseconds)
      else void tick()
    },
  }
}
