import { readdir, readFile } from 'node:fs/promises'
import { isAbsolute, join, relative } from 'node:path'
import { compareStrings } from '../text/compare.js'
import { lineFinder } from '../text/lines.js'
import type { Session } from './session/session.js'

/** An id that a build has left as text. Names of modules in comments and statistics have other characters in front. */
const ID = /(?<=["'`(>=;\s])content-space:(?:asset|kit|section|tokens|app-icons)\/[\w@./?=;:%#+-]+/

/** Drawings in a folder that is copied as it is can be thousands. */
const COPIED = /\.(?:html?|css|json|webmanifest|xml|md|txt)$/

/** Matches the text before the specifier of an import, before a comment, and before the name of a module in webpack. */
const IMPORT = /\b(?:from|import|require|mock)\s*\(?\s*["'`]$/
const COMMENT = /^\s*(?:!\*\*)?\*|^\/\*{3}\/ "$|(?:\/\/|\/\*!?) [^"']*$/

type Texts = Iterable<readonly [path: string, text: string]>

/** Returns the files of a folder that may contain ids, with their text. */
export async function textsIn(folder: string): Promise<[path: string, text: string][]> {
  const names = await readdir(folder, { recursive: true }).catch(() => [])
  const paths = names.filter((name) => COPIED.test(name)).map((name) => join(folder, name))
  return Promise.all(paths.map(async (path) => [path, await readFile(path, 'utf8').catch(() => '')]))
}

/**
 * Warns once of the ids that a build has left as text, where nothing makes an address of them.
 * @param outputs texts of the output
 * @param sources modules and files that it was made from, to name the places
 */
export async function warnOfTextIds(session: Session, outputs: Texts, sources: Iterable<string>): Promise<void> {
  const { host, reports } = session
  const left = new Map<string, string>()
  for (const [path, text] of outputs) {
    for (const { id, line, before } of idsIn(text))
      if (!left.has(id) && !COMMENT.test(before)) left.set(id, `${path}:${line}`)
  }
  if (left.size === 0) return
  const places = await placesOf(new Set(left.keys()), sources)
  // If the source has an id only in imports and comments, the output has it in a comment, or as the name of a module.
  const lines = [...left].flatMap(([id, inOutput]) => {
    const place = places.has(id) ? places.get(id) : inOutput
    return place === undefined ? [] : `${isAbsolute(place) ? relative(host.root, place) : place} ${id}`
  })
  const fresh = lines.filter((line) => !reports.texts.has(line)).toSorted(compareStrings)
  if (fresh.length === 0) return
  for (const line of fresh) reports.texts.add(line)
  const shown = fresh.slice(0, most).map((line) => `\n  ${line.replaceAll('\\', '/')}`)
  const more = fresh.length > most ? `\n  and ${fresh.length - most} more` : ''
  host.log.warn(
    `content-space: ids stay text in the output, because nothing replaces them there:${shown.join('')}${more}` +
      '\nImport them in a script, and pass on their src.',
  )
}

/** Ids that are listed. */
const most = 5

/** @returns the first place of each id that some source has; undefined if it is in imports and comments only */
async function placesOf(ids: ReadonlySet<string>, sources: Iterable<string>): Promise<Map<string, string | undefined>> {
  const places = new Map<string, string | undefined>()
  const files = new Set([...sources].map((source) => source.replace(/\?.*/, '')))
  for (const file of files) {
    const text = isAbsolute(file) ? await readFile(file, 'utf8').catch(() => '') : ''
    if (!text.includes('content-space:')) continue
    for (const { id, line, before } of idsIn(text)) {
      if (!ids.has(id) || places.get(id) !== undefined) continue
      places.set(id, IMPORT.test(before) || COMMENT.test(before) ? undefined : `${file}:${line}`)
    }
  }
  return places
}

/** Returns the ids of a text, with the text in front of them in the same line. */
function idsIn(text: string): { id: string; line: number; before: string }[] {
  const lineAt = lineFinder(text)
  return [...text.matchAll(new RegExp(ID, 'g'))].map(({ 0: id, index }) => ({
    id,
    line: lineAt(index),
    before: text.slice(text.lastIndexOf('\n', index) + 1, index),
  }))
}
