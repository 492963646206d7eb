import { existsSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join, relative, resolve } from 'node:path'
import { readRegularFile } from '../../disk/read-file.js'
import { ignoreErrno } from '../../disk/file-error.js'
import { replaceFile } from '../../disk/replace-file.js'
import { openWorkTree, type Edit } from '../../disk/work-tree.js'
import type { Engine } from '../../engine/engine.js'
import { usedSpecifiers } from '../../engine/sync/used-specifiers.js'
import { ContentSpaceError } from '../../errors.js'
import { findFiles } from '../../source/find-files.js'
import { scanMisplaced, scanSource } from '../../source/uses.js'
import { compareStrings } from '../../text/compare.js'
import { shortList } from '../../text/quantities.js'
import { interruptible } from '../shared/interrupted.js'
import { changesIn, type RenamedLine } from '../shared/rename-imports.js'
import { openOutput } from './output.js'
import { leaveFile, openRewrite, type Left } from './rewrite.js'
import { toolOf } from './tool.js'

export interface EjectOptions {
  /** The folder to write, relative to the root of the project. */
  out: string
  /** Whether the project may have uncommitted changes. */
  force?: boolean | undefined
  signal?: AbortSignal | undefined
  /** Receives the plan. If it returns false, nothing is written. */
  confirm: (plan: EjectPlan) => Promise<boolean> | boolean
}

/** The files and lines that replace this package. */
export interface EjectPlan {
  /** The folder of the files, relative to the root, with forward slashes. */
  out: string
  /** Relative to `out`, sorted. */
  files: string[]
  /** The lines of the source that change. */
  lines: RenamedLine[]
  /** Everything in the source that still needs this package. */
  left: Left[]
  /** Describes the changes that the bundler's configuration needs. */
  needs?: string
}

export interface EjectReport extends EjectPlan {
  written: boolean
}

/**
 * Writes the imported content as files of the project, and changes the source to import these files. Keeps and lists
 * imports that files can't replace.
 * @throws ContentSpaceError `invalidOption` without a clean Git work tree; `fileSystem` for files in the way; any error
 *   of loading a kit or a download
 */
export async function eject(engine: Engine, options: EjectOptions): Promise<EjectReport> {
  const { signal = new AbortController().signal } = options
  return interruptible(signal, () => ejectProject(engine, options, signal))
}

async function ejectProject(
  engine: Engine,
  { out, force = false, confirm }: EjectOptions,
  signal: AbortSignal,
): Promise<EjectReport> {
  const { root, scan } = engine.options
  const tree = await openWorkTree(root, 'eject', force)
  const tool = toolOf(root)
  const folder = resolve(root, out)
  const place = relative(root, folder).replaceAll('\\', '/')
  const isTyped = ['tsconfig.json', 'jsconfig.json'].some((name) => existsSync(join(root, name)))
  const output = openOutput(engine, tool, isTyped)
  const left: Left[] = []
  const sources: { file: string; bytes: Buffer; code: string }[] = []
  for (const [file, path] of [...(await findFiles(root, scan))].toSorted(([a], [b]) => compareStrings(a, b))) {
    const bytes = await readRegularFile(path)
    const code = bytes.toString()
    if (!code.includes('content-space') || file.startsWith(`${place}/`)) continue
    const problem = Buffer.from(code).equals(bytes) ? await tree.problem(file, bytes) : 'it is not UTF-8'
    if (problem === undefined) sources.push({ file, bytes, code })
    else left.push(...leaveFile(code, file, `The file can't be changed, because ${problem}.`))
    left.push(...misplaced(code, file))
  }
  const used = usedSpecifiers(sources.flatMap(({ file, code }) => scanSource(code, file)))
  const rewrite = await openRewrite(engine, { output, tool, place, used })
  const lines: RenamedLine[] = []
  const edits: Edit[] = []
  for (const { file, bytes, code } of sources) {
    const { code: after, left: own } = await rewrite(code, file)
    left.push(...own)
    if (after === code) continue
    lines.push(...changesIn(file, code, after))
    edits.push({ file, before: bytes, after })
  }
  left.sort((a, b) => compareStrings(a.file, b.file) || a.line - b.line)
  await engine.errors.checkFrozen()
  const contents = new Map<string, string | Buffer>(output.texts)
  for (const [path, file] of output.files) contents.set(path, Buffer.from(await engine.files.bytes(file, { signal })))
  const fresh = await freshFiles(folder, contents)
  const needs = tool.needs([...new Set([...output.files.values()].map(({ ext }) => ext))].toSorted(compareStrings))
  const files = [...contents.keys()].toSorted(compareStrings)
  const plan = { out: place, files, lines, left, ...(needs !== undefined && { needs }) }
  if (edits.length === 0 || !(await confirm(plan))) return { ...plan, written: false }
  for (const [path, content] of fresh) await replaceFile(join(folder, path), content)
  try {
    await tree.write(edits)
  } catch (error) {
    for (const path of fresh.keys()) await rm(join(folder, path), { force: true })
    throw error
  }
  return { ...plan, written: true }
}

function misplaced(code: string, file: string): Left[] {
  return scanMisplaced(code, file).map(({ specifier, line }) => ({
    file,
    line,
    import: specifier,
    reason: 'It is text here, so builds do not resolve it.',
  }))
}

/**
 * Returns the files that don't exist yet.
 * @throws ContentSpaceError `fileSystem` if another file is in the way
 */
async function freshFiles(folder: string, contents: ReadonlyMap<string, string | Buffer>) {
  const fresh = new Map<string, string | Buffer>()
  const taken: string[] = []
  for (const [path, content] of contents) {
    const before = await readRegularFile(join(folder, path)).catch(ignoreErrno('ENOENT', 'ENOTDIR'))
    if (before === undefined) fresh.set(path, content)
    else if (!before.equals(Buffer.from(content))) taken.push(path)
  }
  if (taken.length === 0) return fresh
  const message = `${folder} contains other files with the names that eject would write: ${shortList(taken)}.`
  throw new ContentSpaceError('fileSystem', message, { hint: 'Nothing was changed. Choose another --out.' })
}
