import { readdir, readFile } from 'node:fs/promises'
import { isAbsolute, join, relative } from 'node:path'
import { eachLimit } from '../async/each-limit.js'
import { findMatching } from '../source/find-files.js'
import { sourceGlobs } from '../source/source-files.js'
import { compareStrings } from '../text/compare.js'
import { lineFinder } from '../text/lines.js'
import { COPIED, TEXT_ID } from './reports.js'
import type { Session } from './session/session.js'

/**
 * Matches an id that a build has left as plain text. Requires certain characters before the id, because module names in
 * comments and statistics follow other characters.
 */
const ID = /(?<=["'`(>=;\s])content-space:(?:asset|kit|section|tokens|app-icons)\/[\w@./?=;:%#+-]+/

/**
 * Matches the text before the specifier of an import, or before an id in a comment or in one of webpack's module names.
 */
const IMPORT = /\b(?:from|import|require|mock)\s*\(?\s*["'`]$/
const COMMENT = /^\s*(?:!\*\*)?\*|^\/\*{3}\/ "$|(?:\/\/|\/\*!?) [^"']*$/
/** Matches the text before the name of a module where webpack's output imports it. */
const PACKED_IMPORT = /\b__webpack_require__(?:\.\w+)*\((?:__webpack_require__, )?(?:\/\*!? [^"'*]* \*\/ )?\\*"$/

/** Matches the text before an id that bundlers replace in a style sheet. */
const ADDRESS = /\burl\(\s*["']?$/

/** The locations of ids, as paths with line numbers. */
type Places = Map<string, string | undefined>

type Texts = Iterable<readonly [path: string, text: string]>

/**
 * Returns the files in a folder that contain ids, with their text.
 * @param kinds matches the names of files to read
 */
export async function textsIn(folder: string, kinds = COPIED): Promise<[path: string, text: string][]> {
  const names = await readdir(folder, { recursive: true }).catch(() => [])
  const texts: [string, string][] = []
  await eachLimit(names.filter((name) => kinds.test(name)).toSorted(), 16, undefined, async (name) => {
    const path = join(folder, name)
    const text = await readFile(path, 'utf8').catch(() => '')
    if (TEXT_ID.test(text)) texts.push([path, text])
  })
  return texts.toSorted(([a], [b]) => compareStrings(a, b))
}

/** Elements that contain sample code, which may mention ids. */
const CODE = /<(pre|code)\b[^<>]*>.*?<\/\1>/gs

/** Data files that frameworks read in addition to the source when they render pages. */
const DATA = '**/*.{csv,json,json5,jsonc,toml,txt,webmanifest,xml,yaml,yml}'

/**
 * Warns about ids in a framework's rendered pages, because bundlers don't see these pages. Skips ids that an earlier
 * warning has named.
 */
export async function warnOfRenderedIds(session: Reporter, folder: string): Promise<void> {
  const { host, reports } = session
  if (host.command !== 'build') return
  const known = new Set([...reports.texts].map((line) => line.slice(line.lastIndexOf(' ') + 1)))
  const texts = await textsIn(folder)
  const left = idsOf(texts.map(([path, text]) => [path, text.replace(CODE, (code) => code.replace(/[^\n]+/g, ''))]))
  for (const id of known) left.delete(id)
  if (left.size === 0) return
  await report(session, left)
}

/** Warns about ids in the scripts of a folder, for a bundler that doesn't pass its output to plugins. */
export async function warnOfScriptIds(session: Reporter, folder: string): Promise<void> {
  const texts = await textsIn(folder, /\.js$/)
  await warnOfTextIds(session, texts, [])
}

type Reporter = Pick<Session, 'host' | 'reports'>

/**
 * Warns once about ids that a build has left as plain text because nothing resolves them there.
 * @param outputs the text files of the output
 * @param sources modules and files that the output was made from, to find the locations
 */
export async function warnOfTextIds(session: Reporter, outputs: Texts, sources: Iterable<string>): Promise<void> {
  const left = idsOf(outputs)
  if (left.size === 0) return
  const places = await placesOfIds(new Set(left.keys()), sources)
  // If the source contains an id only in imports and comments, the output contains it only in a comment or as a module
  // name, so don't warn about it.
  for (const [id, place] of places) if (place === undefined) left.delete(id)
  await report(session, left, places)
}

/** Returns the ids in text files, each with its first location. */
function idsOf(texts: Texts): Map<string, string> {
  const found = new Map<string, string>()
  for (const [path, text] of texts) {
    for (const { id, line, before } of idsIn(text))
      if (!found.has(id) && !COMMENT.test(before) && !PACKED_IMPORT.test(before)) found.set(id, `${path}:${line}`)
  }
  return found
}

/**
 * @param left the ids with their locations in the output
 * @param known the locations in the source that have been found; other ids may be in any file of the project
 */
async function report(
  { host, reports }: Reporter,
  left: ReadonlyMap<string, string>,
  known: Places = new Map(),
): Promise<void> {
  const others = new Set([...left.keys()].filter((id) => !known.has(id)))
  const files = others.size === 0 ? [] : (await findMatching(host.root, [...sourceGlobs, DATA])).values()
  const found = await placesOfIds(others, files)
  const lines = [...left].map(([id, inOutput]) => {
    const place = known.get(id) ?? found.get(id) ?? inOutput
    return `${isAbsolute(place) ? relative(host.root, place) : place} ${id}`
  })
  const fresh = lines.filter((line) => !reports.texts.has(line)).toSorted(compareStrings)
  if (fresh.length === 0) return
  for (const line of fresh) reports.texts.add(line)
  const listed = fresh.slice(0, maxListed).map((line) => `\n  ${line.replaceAll('\\', '/')}`)
  const more = fresh.length > maxListed ? `\n  and ${fresh.length - maxListed} more` : ''
  host.log.warn(
    `content-space: ids remain plain text in the output, because nothing replaces them:${listed.join('')}${more}` +
      '\nImport them in a script, and pass on their src.',
  )
}

const maxListed = 5

/** @returns the first location of each id in the sources; undefined if the id is only in imports and comments */
async function placesOfIds(ids: ReadonlySet<string>, sources: Iterable<string>): Promise<Places> {
  const places: Places = new Map()
  const files = new Set([...sources].map((source) => source.replace(/\?.*/, '')))
  for (const file of files) {
    const text = isAbsolute(file) ? await readFile(file, 'utf8').catch(() => '') : ''
    if (!text.includes('content-space:')) continue
    for (const { id, line, before } of idsIn(text)) {
      if (!ids.has(id) || places.get(id) !== undefined || ADDRESS.test(before)) continue
      places.set(id, IMPORT.test(before) || COMMENT.test(before) ? undefined : `${file}:${line}`)
    }
  }
  return places
}

/** Returns the ids in a file's text, each with the text before it on the same line. */
function idsIn(text: string): { id: string; line: number; before: string }[] {
  const lineAt = lineFinder(text)
  return [...text.matchAll(new RegExp(ID, 'g'))].map(({ 0: id, index }) => ({
    id,
    line: lineAt(index),
    before: text.slice(text.lastIndexOf('\n', index) + 1, index),
  }))
}
