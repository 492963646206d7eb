import { homedir } from 'node:os'
import type { ResolvedOptions } from '../../config/options.js'
import { importErrors } from '../../engine/sync/resolve-imports.js'
import { ContentSpaceError, summaryAndHint } from '../../errors.js'
import { locationsOf } from '../../space/places.js'
import { safeLines } from '../../text/display.js'

/**
 * Returns the parts of an error that the page may display, without paths of this machine and hosts of the service. An
 * error from outside this package is a bug, so only the terminal describes it.
 */
export function publicFailure(error: unknown, options: ResolvedOptions): { status: number; message: string } {
  if (!(error instanceof ContentSpaceError))
    return { status: 500, message: 'The server failed. The terminal shows the reason.' }
  const { code } = error
  const status = code.endsWith('NotFound') ? 404 : importErrors.includes(code) ? 400 : 502
  return { status, message: publicText(summaryAndHint(error), options) }
}

/** Replaces paths of this machine and hosts of the service. */
export function publicText(text: string, options: ResolvedOptions): string {
  const parts = ['href', 'origin', 'host', 'hostname'] as const
  const { root, cacheDir } = options
  const places = locationsOf(options).flatMap((place): (readonly [string, string])[] =>
    'source' in place
      ? []
      : 'folder' in place
        ? [[place.folder, 'the space']]
        : parts.map((part) => [place.address[part], 'the service']),
  )
  const replaced = [...places, [cacheDir, 'the cache'] as const, [root, 'the project'] as const]
    .filter(([secret]) => secret.length > 1)
    .reduce((result, [secret, name]) => result.replaceAll(secret, name), text)
  return safeLines(replaced.replaceAll(homedir(), '~').replace(absolutePath, '…'))
}

/** Matches a path of at least two folders after a space, a quote or a parenthesis. */
const absolutePath = /(?<=^|[\s'"(])(?:\/[^\s/'"]+){2,}|(?<=^|[\s'"(])[A-Za-z]:\\[^\s'"]+/g
