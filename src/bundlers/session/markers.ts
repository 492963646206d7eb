import { existsSync, readFileSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { attempt } from '../../async/attempt.js'
import { throwFileError } from '../../disk/file-error.js'
import { projectFolder } from '../../disk/project-folder.js'
import type { Request } from '../../request/request.js'
import { sha256 } from '../references/digest.js'

/*
 * Markers are files in `.content-space` that count changes of content: `{ "changes": 3 }`. Bundlers watch them instead
 * of content. `changes.json` counts all changes. Each imported kit has its own marker, so that a change to one kit
 * doesn't affect the modules of others.
 */

/** The name of the marker that counts all changes. */
export const ALL = 'changes'

/** Returns the name of the marker of a request. */
export function markerOf(request: Request): string {
  if (!('kit' in request) || request.kit === undefined) return ALL
  const { kit, version } = request.kit
  return `changes-${sha256(`${kit}@${version}`).slice(0, 8)}`
}

/** Returns the path of a marker, which may not exist yet. */
export function markerPath(root: string, name = ALL): string {
  return join(root, '.content-space', `${name}.json`)
}

/**
 * Creates a marker if its file doesn't exist.
 * @returns the path of the marker
 * @throws ContentSpaceError `fileSystem`
 */
export async function createMarker(root: string, name = ALL): Promise<string> {
  const file = markerPath(root, name)
  attempt(() => {
    if (existsSync(file)) return
    projectFolder(root)
    writeMarker(file, 0)
    // Backdate the file, because webpack rebuilds if a file that it starts to watch is newer than the build.
    utimesSync(file, LONG_AGO, LONG_AGO)
  }, throwFileError(file))
  return file
}

/** @throws ContentSpaceError `fileSystem` */
export async function countChange(root: string, name: string): Promise<void> {
  const file = await createMarker(root, name)
  attempt(() => writeMarker(file, Number(/\d+/.exec(readFileSync(file, 'utf8'))?.[0] ?? 0) + 1), throwFileError(file))
}

/** One second after the epoch, because webpack treats 0 as an unknown date. */
const LONG_AGO = new Date(1000)

function writeMarker(file: string, changes: number): void {
  writeFileSync(file, `${JSON.stringify({ changes })}\n`)
}
