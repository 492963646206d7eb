import type { ResolvedOptions } from '../config/options.js'
import { watchFiles, watchFolder, type Stop } from '../disk/watch.js'

/**
 * Calls `check` when the content of a project may have changed. The lockfile and the folder of a space are watched. A
 * service is asked in intervals.
 * @param isShown whether anyone sees the content. Otherwise, a service is not asked.
 */
export async function followContent(
  { space, refresh, lockfile }: Pick<ResolvedOptions, 'space' | 'refresh' | 'lockfile'>,
  isShown: () => boolean,
  check: () => void,
): Promise<Stop> {
  const stops: Stop[] = lockfile === false ? [] : [watchFiles([lockfile], check)]
  function poll(seconds: number): void {
    const timer = setInterval(() => isShown() && check(), seconds * 1000).unref()
    stops.push(async () => clearInterval(timer))
  }
  if (refresh !== false && 'folder' in space) {
    // A system that cannot watch more files is asked in intervals.
    const onError = (): void => poll(Math.min(refresh, 2))
    await watchFolder(space.folder, check, onError).then((stop) => stops.push(stop), onError)
  } else if (refresh !== false) poll(refresh)
  return async () => void (await Promise.all(stops.map((stop) => stop())))
}
