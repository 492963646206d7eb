import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import fastGlob from 'fast-glob'
import * as v from 'valibot'
import { abortable } from '../../../async/abortable.js'
import { eachLimit } from '../../../async/each-limit.js'
import { findings as kinds } from '../../../config/findings.js'
import { derivedKey } from '../../../disk/cache-layout.js'
import { integrityOf } from '../../../disk/content.js'
import { openDerived } from '../../../disk/derived.js'
import { ownPackage } from '../../../disk/own-file.js'
import { stateOfFile } from '../../../disk/state.js'
import type { Engine } from '../../../engine/engine.js'
import { isColor } from '../../../space/asset-type.js'
import { compareStrings } from '../../../text/compare.js'
import { omitUndefined } from '../../../text/omit-undefined.js'
import { statsOf } from '../../../disk/stats.js'
import { largestContents, readContents } from './contents.js'
import { findExpired } from './expired.js'
import { findProjectFiles } from './find-files.js'
import { digestOf, readKnown } from './known.js'
import { createMatcher, type Match } from './match.js'
import { withPictures } from './pictures.js'
import type { AuditOptions, AuditReport, Finding } from './report.js'

/** The options of `audit` for the search. */
type SearchOptions = Omit<AuditOptions, 'fix' | 'force' | 'confirm' | 'signal'>

const text = v.string()
const optionalText = v.optional(text)
/** A finding in a file, without the file. */
const found = v.object({
  finding: v.picklist(kinds),
  line: v.number(),
  /** The index of the picture in the file. Absent for a color. */
  at: v.optional(v.number()),
  kit: text,
  asset: v.object({ uuid: text, name: text, slug: text }),
  version: optionalText,
  similarity: v.optional(v.number()),
  color: v.optional(v.object({ text, distance: v.number(), hex: text })),
  reason: optionalText,
  import: optionalText,
})
type Found = v.InferOutput<typeof found>

const foundKind = { name: 'found', schema: v.array(found) }

/** The number of small files to read at once, and the maximum size of a small file in bytes. */
const concurrency = 8
const smallFile = 1024 * 1024

/**
 * Finds the files and inline SVGs in a project that use an asset without an import. Doesn't download SVGs.
 * @internal
 */
export async function findCopies(engine: Engine, signal?: AbortSignal): Promise<Finding[]> {
  const { findings } = await searchProject(engine, { download: false, ignore: [] }, signal)
  return findings.filter(({ finding }) => finding !== 'color' && finding !== 'expired')
}

/**
 * Finds kit content that a project uses without importing it. Doesn't send anything about the project.
 * @throws ContentSpaceError any error of loading a kit; `invalidOption` for a path that doesn't exist; `fileSystem`,
 *   `aborted`
 * @internal
 */
export async function searchProject(
  engine: Engine,
  options: SearchOptions,
  signal = new AbortController().signal,
): Promise<AuditReport> {
  return abortable(search(engine, options, signal), signal)
}

async function search(engine: Engine, options: SearchOptions, signal: AbortSignal): Promise<AuditReport> {
  const { root, audit: own } = engine.options
  const { download = true, onDownloads = () => {}, ignore = own.ignore, colorDistance = 2, expires } = options
  const key = derivedKey({ space: engine.space.key, inputs: ['audit', root] })
  const derived = await openDerived(engine.store, key, undefined)
  const known = await readKnown(engine, derived, { download, onDownloads, signal })
  const hasColors = [...known.used.values()].some(({ record }) => isColor(record))
  // Load the color library only if the kits contain colors.
  const colors = hasColors ? (await import('./colors.js')).openColors(known.used.values(), colorDistance) : undefined
  const digest = digestOf(known, integrityOf(await readFile(ownPackage())), colors?.known, colorDistance)
  const { match, matchFile } = createMatcher(known)
  const files = await findProjectFiles(engine.options, options.paths ?? [])
  const findings: Finding[] = []
  const places = new Map<Finding, number>()
  let read = 0
  const sizeOf = (file: string): number => statsOf(join(root, file))?.size ?? 0
  const isSmall = (file: string): boolean => sizeOf(file) <= smallFile
  const searchFile = async (file: string): Promise<void> => {
    const path = join(root, file)
    // If a file changes while it is being read, its result isn't reused, because its state will differ.
    const state = stateOfFile(path, Date.now())
    const results = await (state === undefined
      ? findIn(path)
      : derived.get(foundKind, [digest, file, state], () => findIn(path)))
    for (const { at, ...result } of results) {
      const finding = { ...result, file }
      findings.push(finding)
      if (at !== undefined) places.set(finding, at)
    }
  }
  await eachLimit(files.filter(isSmall), concurrency, signal, searchFile)
  // Process large files one after the other, because each may need a lot of memory.
  await eachLimit(
    files.filter((file) => !isSmall(file)),
    1,
    signal,
    searchFile,
  )
  await derived.save()
  findings.push(...(await findExpired(engine, known.used, findings, expires, signal)))
  const { kept, unused } = await withoutIgnored(findings, ignore, root)
  const sorted = kept.toSorted((a, b) => compareStrings(a.file, b.file) || a.line - b.line)
  const context = { used: known.used, places, download, signal }
  const shown = options.pictures ? await withPictures(sorted, engine, context) : sorted
  const large = files.filter((file) => sizeOf(file) > largestContents).length
  return { findings: shown, files: files.length, read, large, unknown: known.unknown, unused }

  async function findIn(path: string): Promise<Found[]> {
    read++
    if ((statsOf(path)?.size ?? 0) > largestContents) {
      const result = await matchFile(path)
      return result ? [{ ...result, line: 1 }] : []
    }
    const { text: source, pictures } = await readContents(path)
    const all: Found[] = []
    const matched = new Map<string, Match | undefined>()
    for (const [at, { bytes, line }] of pictures.entries()) {
      const content = integrityOf(bytes)
      if (!matched.has(content)) matched.set(content, await match(bytes))
      const result = matched.get(content)
      if (result) all.push(omitUndefined({ ...result, line, at }))
    }
    return source === undefined ? all : [...all, ...(colors?.find(source, path, pictures) ?? [])]
  }
}

/** Leaves out ignored findings, and returns the entries of `ignore` that don't match anything. */
async function withoutIgnored(
  findings: readonly Finding[],
  ignore: readonly string[],
  root: string,
): Promise<{ kept: Finding[]; unused: string[] }> {
  let kept = [...findings]
  const unused: string[] = []
  for (const entry of ignore) {
    const files = new Set(await fastGlob(entry, { cwd: root, dot: true, ignore: ['**/node_modules/**'] }))
    const left = kept.filter(({ file, asset }) => asset.slug !== entry && !files.has(file))
    if (left.length === kept.length) unused.push(entry)
    kept = left
  }
  return { kept, unused }
}
