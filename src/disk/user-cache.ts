import { homedir } from 'node:os'
import { join } from 'node:path'
import { attempt } from '../async/attempt.js'

/** Returns the user's cache folder by the conventions of the system; undefined if the home folder is unknown. */
export function userCacheDir({ LOCALAPPDATA, XDG_CACHE_HOME }: Record<string, string | undefined>): string | undefined {
  const { platform } = process
  if (platform === 'win32' && LOCALAPPDATA) return join(LOCALAPPDATA, 'content-space/Cache')
  if (platform !== 'win32' && platform !== 'darwin' && XDG_CACHE_HOME) return join(XDG_CACHE_HOME, 'content-space')
  // In a container, the user may lack an entry in the system's list of users, so the home folder is unknown.
  const home = attempt(homedir)
  if (!home) return undefined
  if (platform === 'darwin') return join(home, 'Library/Caches/content-space')
  return join(home, platform === 'win32' ? 'AppData/Local/content-space/Cache' : '.cache/content-space')
}
