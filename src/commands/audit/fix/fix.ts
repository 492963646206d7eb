import { isUtf8 } from 'node:buffer'
import { hash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { basename, join, posix, relative } from 'node:path'
import { MagicString } from 'magic-string'
import { readRegularFile } from '../../../disk/read-file.js'
import { statsOf } from '../../../disk/stats.js'
import type { Edit, WorkTree } from '../../../disk/work-tree.js'
import type { Engine } from '../../../engine/engine.js'
import { algorithms } from '../../../files/download.js'
import type { Files } from '../../../files/files.js'
import { planAsset } from '../../../files/plan.js'
import { parseQuery } from '../../../request/query.js'
import { parseKit } from '../../../request/request.js'
import { fileReferences, type FileReference } from '../../../source/file-references.js'
import { decodeOrKeep } from '../../../space/http/credentials.js'
import { spaceOf, type AssetRecord } from '../../../space/space.js'
import { groupBy } from '../../../text/group-by.js'
import { lineFinder } from '../../../text/lines.js'
import { withShownFiles } from '../../shared/pictures.js'
import { isPage } from '../../shared/page/page.js'
import { changesIn } from '../../shared/rename-imports.js'
import { isTextual } from '../../shared/findings/contents.js'
import { findProjectFiles } from '../../shared/findings/find-files.js'
import { isInterchangeable } from '../../shared/findings/look.js'
import { thresholds } from '../../shared/findings/match.js'
import type { AuditReport, Finding, Fixes } from '../../shared/findings/report.js'
import { openApplications, type Application } from './applications.js'
import { fixColor, isExported } from './colors.js'
import { fileNamesIn } from './names-in.js'
import type { Link } from './links.js'
import { isUsedAsObject } from './object-uses.js'
import { largestSource, piecesOf, readTexts, type Texts } from './texts.js'

/** A copied file, and its asset. */
interface Copy {
  finding: Finding
  record: AssetRecord
}

/** A source file to change. */
interface Source {
  file: string
  bytes: Buffer
  before: string
  edit: MagicString
  app: Application
  /** The copies with replaced paths. */
  replaced: Set<Finding>
}

/** Any text may contain addresses of files in these folders. */
const publicFolders = /(?:^|\/)(?:public|static)\//

const sources = /\.(?:[cm]?[jt]sx?|vue|svelte|astro|css|pcss|postcss|html?)$/i

/**
 * Files that may mention a source without preventing its change: documentation, and configurations that list the files
 * to compile.
 */
const indifferent = /\.(?:md|txt)$|(?:^|\/)(?:tsconfig[\w.-]*\.json|\.gitignore|\.prettierignore|LICENSE)$/i

/**
 * Replaces paths of copied files with ids, and colors with tokens, if the configuration of the project proves that
 * nothing else changes. Leaves everything else unchanged and reports the reason. Doesn't delete anything.
 * @param confirm receives the changes. If it returns false, nothing is written.
 * @throws ContentSpaceError `fileSystem`
 */
export async function fix(
  engine: Engine,
  { findings }: AuditReport,
  tree: WorkTree,
  confirm: (fixes: Fixes) => Promise<boolean> | boolean,
): Promise<Fixes> {
  const { root, tokens } = engine.options
  const own = new Set(await findProjectFiles(engine.options, []))
  const sheets = new Set(tokens.map(({ file }) => relative(root, file).replaceAll('\\', '/')))
  // Skip files that this package writes, because they mention copies and sources without using them. Token style sheets
  // are an exception.
  const texts = await readTexts(root, (file) => file.startsWith('../') || own.has(file) || sheets.has(file))
  const applicationOf = openApplications(texts)
  const left: Fixes['left'] = []
  const leave = ({ import: id = '' }: Finding, file: string, line: number, reason: string): void =>
    void left.push({ file, line, import: id, reason })
  const copies = await wholeCopies(engine, findings, (finding, reason) =>
    leave(finding, finding.file, finding.line, reason),
  )
  /** Copies that the changed or listed source files refer to. */
  const mentioned = new Set<Finding>()
  const exact = findings.filter(({ finding, color }) => finding === 'color' && color?.distance === 0)
  const colors = groupBy(exact, ({ file }) => file)
  const changing: Source[] = []
  for (const file of texts.files) {
    if (!own.has(file) || !sources.test(file)) continue
    const source = await changeSource(file, colors.get(file) ?? [])
    if (source) changing.push(source)
  }
  const readers = await readersOf(changing, texts)
  const changed = changing.filter(({ file }) => !readers.has(file))
  for (const { file, replaced } of changing) {
    const reader = readers.get(file)
    if (reader !== undefined)
      for (const finding of replaced) leave(finding, file, 1, `${reader} names this file or what it imports`)
  }
  const edits = changed.map(({ file, bytes, edit }): Edit => ({ file, before: bytes, after: edit.toString() }))
  const replaced = new Set(changed.flatMap((source) => [...source.replaced]))
  const namers = await namersOf(replaced, edits, texts)
  for (const { finding } of copies.values()) {
    if (mentioned.has(finding)) continue
    const isPublic = publicFolders.test(finding.file)
    leave(finding, finding.file, 1, isPublic ? 'its address may be used anywhere' : 'no import of it was found')
  }
  const fixes: Fixes = {
    lines: changed.flatMap(({ file, before, edit }) => changesIn(file, before, edit.toString())),
    unnamed: [...replaced].map(({ file }) => file).filter((file) => tree.tracked.has(file) && !namers.has(file)),
    left,
    written: false,
  }
  if (edits.length === 0 || !(await confirm(fixes))) return fixes
  await tree.write(edits)
  return { ...fixes, written: true }

  /** Makes the certain changes in a source, and leaves the others. @returns undefined if nothing changes */
  async function changeSource(file: string, ownColors: readonly Finding[]): Promise<Source | undefined> {
    const path = join(root, file)
    if ((statsOf(path)?.size ?? 0) > largestSource) return undefined
    const bytes = await readRegularFile(path)
    const before = bytes.toString()
    const meant = isPage(before) || !isUtf8(bytes) ? [] : referencesTo(copies, before, file)
    if (meant.length + ownColors.length === 0) return undefined
    const app = await applicationOf(file)
    const problem = typeof app === 'string' ? app : (app.problem(file) ?? (await tree.problem(file, bytes)))
    const lineOf = lineFinder(before)
    for (const { copy } of meant) mentioned.add(copy.finding)
    if (typeof app === 'string' || problem !== undefined) {
      for (const { reference, copy } of meant) leave(copy.finding, file, lineOf(reference.start), problem ?? '')
      for (const finding of ownColors) leave(finding, file, finding.line, problem ?? '')
      return undefined
    }
    const source = { file, bytes, before, edit: new MagicString(before), app, replaced: new Set<Finding>() }
    for (const { reference, copy } of meant) {
      const id = idFor(copy, reference, source)
      if (id.startsWith('content-space:')) {
        source.edit.update(reference.start, reference.end, id)
        source.replaced.add(copy.finding)
      } else leave(copy.finding, file, lineOf(reference.start), id)
    }
    for (const finding of ownColors) {
      const reason = await fixColor(engine, finding, app, source)
      if (reason !== undefined) leave(finding, file, finding.line, reason)
    }
    return source.edit.hasChanged() ? source : undefined
  }
}

/** Returns the places in a file's text that refer to copies. */
function referencesTo(copies: ReadonlyMap<string, Copy>, text: string, file: string) {
  return fileReferences(text, file).flatMap((reference) => {
    const copy = copies.get(pathOfReference(reference, file) ?? '')
    return copy ? [{ reference, copy }] : []
  })
}

/** Returns, by path, the copies for which an import of their asset returns the same picture. */
async function wholeCopies(
  engine: Engine,
  findings: readonly Finding[],
  leave: (finding: Finding, reason: string) => void,
): Promise<Map<string, Copy>> {
  const copies = new Map<string, Copy>()
  await withShownFiles(engine, async (files) => {
    for (const finding of findings) {
      if (finding.import === undefined || !/^(?:copy|redrawn)$/.test(finding.finding)) continue
      if (isTextual(finding.file)) leave(finding, 'it is a part of the text')
      else {
        const record = await wholeRecord(engine, finding, files)
        if (record) copies.set(finding.file, { finding, record })
        else leave(finding, 'it is another cut, size or crop of the asset')
      }
    }
  })
  return copies
}

/** Returns the asset if its import returns the same picture: the original file, or an SVG that fills the same box. */
async function wholeRecord(
  { catalog, options, space }: Engine,
  found: Finding,
  files: Files,
): Promise<AssetRecord | undefined> {
  const { assets } = (await catalog.load(parseKit(found.kit, options.kits))).kit
  const record = Object.values(assets).find(({ uuid }) => uuid === found.asset.uuid)
  const path = join(options.root, found.file)
  if (record === undefined || (statsOf(path)?.size ?? Infinity) > largestSource * 32) return undefined
  const bytes = await readFile(path)
  if (found.finding === 'redrawn') {
    const { src } = planAsset(record, parseQuery(''), 'sanitize')
    // The SVG was already read for the comparison, so don't download it again.
    if (src === undefined || !(spaceOf(space, record.from?.kit).local || (await files.has(src)))) return undefined
    return (await isInterchangeable(bytes, await files.bytes(src), thresholds.redrawn)) ? record : undefined
  }
  const expected = record.fileHash ?? ''
  const name = algorithms[expected.length]
  return name !== undefined && hash(name, bytes, 'hex') === expected ? record : undefined
}

/**
 * Returns the file that a reference points to. Skips absolute paths and aliases, because they may point to another
 * file.
 */
function pathOfReference({ path, kind }: FileReference, file: string): string | undefined {
  const [plain = ''] = path.split(/[?#]/)
  if (kind === 'import') return /^\.\.?\//.test(plain) ? posix.join(posix.dirname(file), plain) : undefined
  if (kind === 'page' && plain.startsWith('/')) return posix.join(posix.dirname(file), decodeOrKeep(plain))
  return /^[a-z@~$#/]+:|^[@~$#/]/i.test(plain) ? undefined : posix.join(posix.dirname(file), decodeOrKeep(plain))
}

/** Returns the id for a place, or the reason to leave the place unchanged. */
function idFor(
  { finding, record }: Copy,
  { path, kind, start, local }: FileReference,
  { file, before, app }: Pick<Source, 'file' | 'before' | 'app'>,
): string {
  const { import: id = '' } = finding
  const { proof } = app
  const query = path.slice(path.split(/[?#]/, 1)[0]?.length)
  if (publicFolders.test(finding.file)) return 'its address may be used anywhere'
  if (kind === 'style') {
    if (!proof.isStyleUrl(finding.file) || isExported(before, start)) return 'it is not certain what url() gives here'
    return query === '' || query.startsWith('#') ? id + query : 'the path has a query'
  }
  if (kind === 'page') {
    const isBuilt = proof.page !== undefined && file === posix.join(app.folder, proof.page)
    return query === '' && isBuilt ? id : 'it is not certain that a bundler builds this place'
  }
  const form = proof.importOf(finding.file)
  if (form === undefined) return 'it is not certain what the import gives'
  if (form === 'address') return query === '' || query === '?url' ? `${id}?as=url` : 'the path has a query'
  const isObject = query === '' && local !== undefined && isUsedAsObject(before, file, local)
  const hasSize = record.width !== undefined && record.height !== undefined
  return isObject && hasSize ? id : 'it is not certain that the object of this package does the same'
}

/**
 * Finds files that refer to a source in a way that bundlers don't follow, and test snapshots that contain its pictures.
 * @returns by source
 */
async function readersOf(changing: readonly Source[], texts: Texts): Promise<Map<string, string>> {
  const readers = new Map<string, string>()
  if (changing.length === 0) return readers
  for (const file of texts.files) {
    if (indifferent.test(file)) continue
    await eachPiece(file, texts, (text) => {
      for (const { file: source, app, replaced } of changing) {
        if (source === file || app.config === file) continue
        const isSnapshot = file.endsWith('.snap') || app.isTest(file)
        const pictures = isSnapshot ? [...replaced].map((one) => basename(one.file)) : []
        // A page keeps its name in the output.
        const names = /\.html?$/i.test(source) ? pictures : [...pictures, basename(source)]
        if (!names.some((name) => text.includes(name))) continue
        const rest = withoutLinks(text, app.linksOf(text, file))
        if (names.some((name) => rest.includes(name))) readers.set(source, file)
      }
    })
  }
  return readers
}

/** Returns the text of a file without the paths that a bundler follows. */
function withoutLinks(text: string, links: readonly Link[]): string {
  let at = 0
  const parts: string[] = []
  for (const { start, end } of links.filter(({ builds }) => builds).toSorted((a, b) => a.start - b.start)) {
    parts.push(text.slice(at, start))
    at = Math.max(at, end)
  }
  return [...parts, text.slice(at)].join(' ')
}

/** Finds copies that a file still refers to, or may refer to. */
async function namersOf(copies: ReadonlySet<Finding>, edits: readonly Edit[], texts: Texts): Promise<Set<string>> {
  const named = new Set<string>()
  if (copies.size === 0) return named
  const after = new Map(edits.map((edit) => [edit.file, edit.after]))
  for (const file of texts.files)
    await eachPiece(
      file,
      texts,
      (text) => {
        const names = fileNamesIn(text, file)
        for (const copy of copies) if (names(copy.file)) named.add(copy.file)
      },
      after.get(file),
    )
  return named
}

/** Reads a file. Reads a large file in pieces. */
async function eachPiece(file: string, texts: Texts, read: (text: string) => void, given?: string): Promise<void> {
  const text = given ?? (await texts.read(file))
  if (text !== undefined) {
    if (!isPage(text)) read(text)
    return
  }
  for await (const piece of piecesOf(join(texts.root, file))) read(piece)
}
