import * as v from 'valibot'
import { integrityOf } from '../../../disk/content.js'
import { readText } from '../../../disk/replace-file.js'
import { ContentSpaceError } from '../../../errors.js'
import { jsonText } from '../../../text/display.js'

/** What is at the path of an icon set. `modified`: the user has changed a set that `pull` wrote. */
export type FileState = 'missing' | 'current' | 'outdated' | 'modified'

/** The key of our entry in an icon set. Readers of icon sets ignore it. */
const markerKey = 'contentSpace'
const marker = v.object({ sha256: v.string() })

/** Returns the text of an icon set, with the hash that shows later that `pull` wrote it. */
export function iconSetText(set: object): string {
  return `${jsonText({ ...set, [markerKey]: { sha256: hashOf(set) } }, 2)}\n`
}

/** Hashes the content and not the text, so that a formatter may change the file. */
function hashOf(set: object): string {
  return integrityOf(JSON.stringify(set))
}

/**
 * Compares a file with the icon set that should be there.
 * @param set undefined: it is not known yet
 * @throws ContentSpaceError `fileSystem` for a file that `pull` did not write, or that cannot be read
 */
export async function compareFile(path: string, set: object | undefined): Promise<FileState> {
  const text = await readText(path, '--out')
  if (text === undefined) return 'missing'
  const { [markerKey]: mark, ...content } = parseObject(text)
  if (!v.is(marker, mark)) {
    throw new ContentSpaceError('fileSystem', `${path} is not an icon set that pull wrote.`, {
      hint: 'Nothing was changed. Move the file, or choose another --out.',
    })
  }
  if (mark.sha256 !== hashOf(content)) return 'modified'
  return set !== undefined && mark.sha256 === hashOf(set) ? 'current' : 'outdated'
}

function parseObject(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {}
  } catch {
    return {}
  }
}
