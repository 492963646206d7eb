import { ContentSpaceError, reasonOf, type ErrorCode } from '../../errors.js'
import type { AssetPlan, FileDescriptor } from '../../files/plan.js'
import { declarationsText, type Described, type ResolvedImport } from '../../modules/declarations.js'
import { unknownExport } from '../../modules/exports.js'
import { withoutCutError } from '../../modules/plans.js'
import type { Use } from '../../source/scan.js'
import type { ResolvedOptions } from '../../config/options.js'
import { compareStrings } from '../../text/compare.js'

/** What the source imports that the space does not have, or that is no id: a module, or a name of one. */
export interface ImportProblem {
  specifier: string
  reason: string
  /** Where it is imported; files are relative to the root, lines from 1. */
  uses: { file: string; line: number }[]
}

/** The source, read against the space. */
export interface ResolvedImports {
  specifiers: number
  refusals: ImportProblem[]
  /** What is needed and not in the cache, offline. */
  missing: ContentSpaceError[]
  /** The text of the declarations. */
  types: string
  /** The files of the service behind what the source reaches at run time, each once. */
  files: FileDescriptor[]
  /** Uuids of the assets that the source reaches. */
  assets: ReadonlySet<string>
}

/** What makes a specifier wrong; any other error says nothing of the source. */
const refusing: readonly ErrorCode[] = [
  'invalidId',
  'invalidQuery',
  'kitNotFound',
  'versionNotFound',
  'sectionNotFound',
  'headingNotFound',
  'assetNotFound',
  'ambiguousName',
  'fileCutUnavailable',
]

/** An asset or a section by its uuid alone. */
const kitless = /^content-space:(?:asset|section)\/[^/]*$/

/**
 * Finds what the source imports, and what it means.
 * @param describe what a specifier means
 * @throws ContentSpaceError what keeps the space from answering
 */
export async function resolveImports(
  { root, scan }: ResolvedOptions,
  describe: (specifier: string) => Promise<Described>,
): Promise<ResolvedImports> {
  // What reads source is loaded where there is source to read.
  const { scanSources } = await import('../../source/scan.js')
  const uses = await scanSources(root, scan)
  const specifiers = [...new Set(uses.map(({ specifier }) => specifier))].toSorted(compareStrings)
  const missing: ContentSpaceError[] = []
  const meanings: ResolvedImport[] = []
  const read = async (specifier: string): Promise<void> => {
    try {
      const described = await describe(specifier)
      const whole = placesOf(specifier, uses).some(({ names }) => names === undefined || names.includes('default'))
      if (whole && described.kind === 'collection') refuseLacking(described)
      meanings.push({ specifier, ...described })
    } catch (error) {
      if (!(error instanceof ContentSpaceError)) throw error
      if (error.code === 'offline') missing.push(error)
      else if (refusing.includes(error.code)) meanings.push({ specifier, kind: 'refused', reason: reasonOf(error) })
      else throw error
    }
  }
  // What names no kit is found in those that the rest names.
  await Promise.all(specifiers.filter((specifier) => !kitless.test(specifier)).map(read))
  await Promise.all(specifiers.filter((specifier) => kitless.test(specifier)).map(read))
  return {
    specifiers: specifiers.length,
    refusals: refusalsIn(meanings, uses),
    missing,
    types: declarationsText(meanings),
    files: filesOf(meanings, uses),
    assets: new Set(
      meanings.flatMap((meaning) => placesOf(meaning.specifier, uses).flatMap(({ names }) => reached(meaning, names))),
    ),
  }
}

function refusalsIn(meanings: readonly ResolvedImport[], uses: readonly Use[]): ImportProblem[] {
  const refusals = meanings.flatMap((meaning) => {
    const { specifier } = meaning
    const at = placesOf(specifier, uses)
    if (meaning.kind === 'refused') return [{ specifier, reason: meaning.reason, uses: at.map(placeOf) }]
    const names = [...new Set(at.flatMap((use) => use.names ?? []))]
    return names.flatMap((name) => {
      const reason = reasonAgainst(name, meaning)
      return reason === undefined
        ? []
        : [{ specifier, reason, uses: at.filter((use) => use.names?.includes(name)).map(placeOf) }]
    })
  })
  return refusals.toSorted((a, b) => compareStrings(a.specifier, b.specifier) || compareStrings(a.reason, b.reason))
}

/** Who takes all of a kit needs the cut of all of it. */
function refuseLacking({ withoutCut, query }: Extract<Described, { kind: 'collection' }>): void {
  const refusal = withoutCutError([...withoutCut.values()], query)
  if (refusal) throw refusal
}

/** @returns why a module has no export of this name, or not with this query; undefined when it has */
function reasonAgainst(name: string, meaning: Exclude<ResolvedImport, { kind: 'refused' }>): string | undefined {
  if (name === 'default') return undefined
  if (meaning.kind !== 'collection') return `This module has a default export alone, and no ${name}.`
  const { collection, named, withoutCut } = meaning
  const uuid = collection.exports.get(name)
  const refusal = uuid === undefined ? unknownExport(name, collection, named) : withoutCut.get(uuid)
  return refusal && reasonOf(refusal)
}

function placeOf({ file, line }: Use): ImportProblem['uses'][number] {
  return { file, line }
}

function placesOf(wanted: string, uses: readonly Use[]): Use[] {
  return uses.filter(({ specifier }) => specifier === wanted)
}

function filesOf(meanings: readonly ResolvedImport[], uses: readonly Use[]): FileDescriptor[] {
  const files = new Map<string, FileDescriptor>()
  for (const meaning of meanings) {
    for (const use of placesOf(meaning.specifier, uses)) {
      for (const plan of plansOf(meaning, use.names)) {
        for (const { recipe: _, ...file } of filesIn(plan))
          files.set(JSON.stringify([file.asset, file.cut, file.hash]), file)
      }
    }
  }
  return [...files].toSorted(([a], [b]) => compareStrings(a, b)).map(([, file]) => file)
}

function plansOf(meaning: ResolvedImport, names: readonly string[] | undefined): AssetPlan[] {
  return reached(meaning, names).flatMap((uuid) => ('plans' in meaning ? (meaning.plans.get(uuid) ?? []) : []))
}

/**
 * Uuids of assets.
 * @param names the exports that are reached; undefined: everything
 */
function reached(meaning: ResolvedImport, names: readonly string[] | undefined): string[] {
  if (meaning.kind !== 'asset' && meaning.kind !== 'collection') return []
  if (names === undefined || names.includes('default')) return [...meaning.plans.keys()]
  if (meaning.kind === 'asset') return []
  const { exports } = meaning.collection
  return names.flatMap((name) => exports.get(name) ?? [])
}

function filesIn({ src, srcset = [], sources = [], value, placeholder }: AssetPlan): FileDescriptor[] {
  const sets = [...srcset, ...sources.flatMap((source) => source.srcset)]
  return [src, ...sets.map(({ file }) => file), value?.file, placeholder?.file].flatMap((file) => file ?? [])
}
