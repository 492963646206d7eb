import { ContentSpaceError, summaryAndHint, type ErrorCode } from '../../errors.js'
import type { AssetPlan, FileDescriptor } from '../../files/plan.js'
import { readRecipe } from '../../files/recipe.js'
import { declarationsText, type Described, type ResolvedImport } from '../../modules/declarations.js'
import type { From, Names } from '../../modules/parts.js'
import { unknownExport } from '../../modules/exports.js'
import { unknownTokens } from '../../tokens/exports.js'
import { withoutCutError } from '../../modules/plans.js'
import { withImportSite } from '../../source/import-site.js'
import type { Use } from '../../source/use.js'
import { compareStrings } from '../../text/compare.js'
import { omitUndefined } from '../../text/omit-undefined.js'
import { isWhole, usedNames, usesBySpecifier } from './declared.js'

/** An invalid import in the source: an invalid id, or content that the space doesn't have. */
export interface ImportProblem {
  specifier: string
  error: ContentSpaceError
  /** Where the source imports it. */
  uses: readonly Use[]
}

/** A file of the service, and one of its uses in the source. */
export interface UsedFile {
  file: FileDescriptor
  use: Use
}

/** A use in the source, and the assets that it needs at run time. */
export interface UsedImport {
  use: Use
  /** Uuids. */
  assets: string[]
  /** Plans of the assets with files, by uuid. */
  plans: ReadonlyMap<string, AssetPlan>
  /** The files of a set of application icons. */
  icons: readonly FileDescriptor[]
  /** The uuid of the kit, if the use may reach all exports of a kit's or a section's module. */
  whole?: string
}

/**
 * The imports of the source, resolved against the space.
 * @internal
 */
export type ResolvedImports = Awaited<ReturnType<typeof resolveImports>>

/** Errors that affect a single import. All other errors prevent us from resolving any import. */
export const importErrors: readonly ErrorCode[] = [
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

/** Errors that affect a single import if its files are also read. */
export const singleErrors: readonly ErrorCode[] = [
  ...importErrors,
  'unknownExport',
  'contentMismatch',
  'truncated',
  'integrity',
  'conversionFailed',
  'unsafeSvg',
]

/** Matches an asset or a section that is identified only by its uuid, short id or address. */
export const withoutKit = /^content-space:(?:asset|section)\/(?:https?:|[^/]*$)/

/** @property error for a rejected import */
type SourceImport = ResolvedImport & { uses: readonly Use[]; error?: ContentSpaceError }

/**
 * Resolves the imports of the source.
 * @param from whether to list kits, or to use the lockfile where it is sufficient
 * @param unfit errors about SVGs that can't take the text color
 * @throws ContentSpaceError for errors that don't concern a single import, such as a wrong token
 * @internal
 */
export async function resolveImports(
  uses: readonly Use[],
  describe: (specifier: string, names: Names, from: From) => Promise<Described>,
  from: From = 'lock',
  unfit: readonly ContentSpaceError[] = [],
) {
  const specifiers = usesBySpecifier(uses)
  const missing: ContentSpaceError[] = []
  const unlocked: string[] = []
  const imports: SourceImport[] = []
  async function resolve([specifier, own]: (typeof specifiers)[number]): Promise<void> {
    const refuse = (error: ContentSpaceError) =>
      void imports.push({ specifier, uses: own, kind: 'refused', reason: summaryAndHint(error), error })
    try {
      const names = usedNames(own)
      const described = withUnfit(await describe(specifier, names && [...names], from), unfit)
      const whole = 'withoutCut' in described && own.some(isWhole) ? described : undefined
      const error = whole && withoutCutError([...(whole.withoutCut?.values() ?? [])], whole.query)
      if (error) refuse(error)
      else imports.push({ specifier, uses: own, used: usedNames(own), ...described })
    } catch (error) {
      if (!(error instanceof ContentSpaceError)) throw error
      if (error.code === 'offline') missing.push(error)
      else if (error.code === 'frozen') unlocked.push(`${specifier} (${placesOfUses(own)}): ${error.summary}`)
      else if (importErrors.includes(error.code)) refuse(error)
      else throw withImportSite(error, { specifier, importer: own[0]?.file, line: own[0]?.line })
    }
  }
  // Resolve imports that name a kit first, because we search these kits for the assets and sections of all other
  // imports.
  await Promise.all(specifiers.filter(([specifier]) => !withoutKit.test(specifier)).map(resolve))
  await Promise.all(specifiers.filter(([specifier]) => withoutKit.test(specifier)).map(resolve))
  const used = imports.flatMap(usedImports)
  return {
    /** The number of different specifiers in the source. */
    specifiers: specifiers.length,
    uses,
    /** Whether the lockfile determines all imports. */
    isLocked: imports.every(isLocked),
    refusals: problemsOf(imports),
    /** The resolved imports. */
    imports,
    /** Whether any import was resolved only from the lockfile, and so may lack exports. */
    isPartial: imports.some((resolved) => 'isPartial' in resolved && resolved.isPartial),
    /** Imports that a frozen lockfile lacks, one line each. */
    unlocked,
    /** Errors about content that is missing from the cache while offline. */
    missing,
    /** Returns the text of the declarations. @param pictures data URIs for the comments, by `revisionOfDeclared` */
    declarations: (pictures?: ReadonlyMap<string, string>) => declarationsText(imports, omitUndefined({ pictures })),
    /** One file for each asset that the source names, by `revisionOfDeclared`. */
    pictured: picturedFiles(used),
    /** The distinct files of the service that the source uses at run time. */
    files: filesOfImports(used),
    /** The files that a build checks, rewrites or converts for the source, each once. */
    converted: convertedFiles(used),
    /** Uuids of the assets that the source uses at run time. */
    assets: new Set(used.flatMap(({ assets }) => assets)),
    /** The uses of assets in the source, ordered by specifier. */
    used,
    /** Kits that have imported names ending with part of a uuid. */
    unclear: imports.flatMap((resolved) => {
      if (resolved.kind !== 'collection') return []
      const { collection, named, isPartial } = resolved
      if (isPartial) return []
      const names = resolved.uses.flatMap((use) => use.names ?? [])
      return names.some((name) => named.suggested.has(collection.exports.get(name) ?? '')) ? [named] : []
    }),
  }
}

/** Returns one file per asset, preferably the original. If a whole kit is imported, its assets don't get pictures. */
function picturedFiles(used: readonly UsedImport[]): Map<string, FileDescriptor> {
  const files = new Map<string, FileDescriptor>()
  for (const { assets, plans, whole } of used) {
    if (whole !== undefined) continue
    const own = assets.flatMap((uuid) => filesIn(plans.get(uuid) ?? {}).filter(({ asset }) => asset === uuid))
    for (const file of own) {
      const revision = JSON.stringify([file.asset, file.hash ?? file.updated])
      const cut = files.get(revision)?.cut
      if (!files.has(revision) || (cut !== undefined && compareStrings(file.cut ?? '', cut) < 0))
        files.set(revision, file)
    }
  }
  return files
}

function usedImports(resolved: SourceImport): UsedImport[] {
  return resolved.uses.map((use) => ({
    use,
    assets: usedAssets(resolved, use.names),
    plans: 'plans' in resolved ? resolved.plans : new Map(),
    icons: resolved.kind === 'app-icons' ? resolved.icons : [],
    ...(resolved.kind === 'collection' && isWhole(use) && { whole: resolved.named.kit.uuid }),
  }))
}

/**
 * Returns whether the lockfile determines an import. Drafts can change without it, and outlines may belong to drafts.
 */
function isLocked(resolved: ResolvedImport): boolean {
  if (resolved.kind === 'kits') return true
  return 'named' in resolved && resolved.named.kit.version !== 0
}

function problemsOf(imports: readonly SourceImport[]): ImportProblem[] {
  const problems = imports.flatMap((resolved) => {
    const { specifier, uses: all } = resolved
    if (resolved.kind === 'refused') return resolved.error ? [{ specifier, error: resolved.error, uses: all }] : []
    const addresses = all.filter(({ isAddress }) => isAddress)
    if (addresses.length > 0 && !hasAddress(resolved)) {
      const error = new ContentSpaceError('invalidId', 'A style sheet or a page needs an asset with a file.', {
        hint: 'Write content-space:asset/<kit>/<asset>.',
      })
      return [{ specifier, error, uses: addresses }]
    }
    const names = [...new Set(all.flatMap((use) => use.names ?? []))]
    return names.flatMap((name) => {
      const error = exportError(name, resolved)
      return error ? [{ specifier, error, uses: all.filter((use) => use.names?.includes(name)) }] : []
    })
  })
  return problems.toSorted(
    (a, b) => compareStrings(a.specifier, b.specifier) || compareStrings(a.error.summary, b.error.summary),
  )
}

function hasAddress(resolved: ResolvedImport): boolean {
  return (
    resolved.kind === 'app-icons' ||
    (resolved.kind === 'asset' && resolved.plans.get(resolved.asset.uuid)?.src !== undefined)
  )
}

/** Adds the errors about SVGs that can't take the text color. */
function withUnfit(described: Described, unfit: readonly ContentSpaceError[]): Described {
  if (!('query' in described) || described.query.currentcolor === undefined) return described
  const withoutCut = new Map(described.withoutCut)
  for (const [uuid, plan] of described.plans) {
    const error = unfit.find(({ facts }) => filesIn(plan).some(({ asset }) => asset === facts.asset))
    if (error) withoutCut.set(uuid, error)
  }
  return { ...described, withoutCut }
}

/**
 * Returns why a module lacks an export of this name, or lacks it with this query. Returns undefined for a valid export.
 */
function exportError(
  name: string,
  resolved: Exclude<ResolvedImport, { kind: 'refused' }>,
): ContentSpaceError | undefined {
  if (name === 'default') return undefined
  if (resolved.kind === 'tokens' && resolved.exports.has(name)) return undefined
  if (resolved.kind === 'tokens') return unknownTokens(name, resolved)
  if (resolved.kind !== 'collection')
    return new ContentSpaceError('unknownExport', `The module has no export ${name}, only a default export.`, {
      export: name,
      hint: 'Import its default.',
    })
  const { collection, named, withoutCut, query } = resolved
  const uuid = collection.exports.get(name)
  return uuid === undefined ? unknownExport(name, collection, named, query) : withoutCut.get(uuid)
}

function placesOfUses(uses: readonly Use[]): string {
  return uses.map(({ file, line }) => `${file}:${line}`).join(', ')
}

function filesOfImports(imports: readonly UsedImport[]): UsedFile[] {
  const files = new Map<string, UsedFile>()
  for (const { use, assets, plans } of imports) {
    for (const { recipe, ...file } of assets.flatMap((uuid) => filesIn(plans.get(uuid) ?? {}))) {
      const key = JSON.stringify([file.asset, file.cut, file.hash])
      // Here, convert only SVGs that take the text color, to check that they have a single color.
      if (recipe && 'currentcolor' in readRecipe(recipe)) files.set(key, { file: { ...file, recipe }, use })
      else if (!files.has(key)) files.set(key, { file, use })
    }
  }
  return [...files].toSorted(([a], [b]) => compareStrings(a, b)).map(([, used]) => used)
}

function convertedFiles(imports: readonly UsedImport[]): UsedFile[] {
  const files = new Map<string, UsedFile>()
  for (const { use, assets, plans, icons } of imports) {
    for (const file of [...assets.flatMap((uuid) => filesIn(plans.get(uuid) ?? {})), ...icons]) {
      const key = JSON.stringify([file.asset, file.cut, file.hash, file.recipe])
      if (file.recipe !== undefined && !files.has(key)) files.set(key, { file, use })
    }
  }
  return [...files.values()]
}

/**
 * Returns the uuids of the assets that an import uses.
 * @param names the exports that it uses; undefined for all
 */
function usedAssets(resolved: ResolvedImport, names: readonly string[] | undefined): string[] {
  if (resolved.kind === 'tokens')
    return [...resolved.exports].flatMap(([name, { assets }]) => (names?.includes(name) === false ? [] : assets))
  if (resolved.kind === 'app-icons') return [...resolved.plans.keys()]
  if (resolved.kind !== 'asset' && resolved.kind !== 'collection') return []
  if (names === undefined || names.includes('default')) return [...resolved.plans.keys()]
  if (resolved.kind === 'asset') return []
  const { exports } = resolved.collection
  return names.flatMap((name) => exports.get(name) ?? [])
}

/** Returns the uuids of the assets that a use needs, and of their dark counterparts. */
export function withCounterparts({ assets, plans }: UsedImport): string[] {
  return [...new Set(assets.flatMap((uuid) => [uuid, ...filesIn(plans.get(uuid) ?? {}).map(({ asset }) => asset)]))]
}

export function filesIn({ src, srcset = [], sources = [], value, placeholder, dark }: AssetPlan): FileDescriptor[] {
  const sets = [...srcset, ...sources.flatMap((source) => source.srcset)]
  const own = [src, ...sets.map(({ file }) => file), value?.file, placeholder?.file].flatMap((file) => file ?? [])
  return dark ? [...own, ...filesIn(dark)] : own
}
