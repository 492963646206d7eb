import * as v from 'valibot'
import type { FieldDefinition, FieldValue, KitHead } from '../asset.js'
import { ContentSpaceError } from '../errors.js'
import { isExportName, isSlug } from '../kit/identifiers.js'
import type { LoadedItem } from '../kit/load.js'
import type { VersionLabel } from '../kit/names.js'
import { versionOf } from '../space/sources/revision.js'
import { jsonText } from '../text/display.js'

/*
 * `content-space.lock.json` contains the facts that a build needs about the content that a project uses, in one table
 * per version of a kit. It doesn't contain times, paths, hosts or secrets of this machine. Keys are sorted, and blank
 * lines separate entries, because git merges two changes only if an unchanged line separates them.
 *
 * Reading is strict, because a pull request can change the lockfile, its names become code, and its slugs become paths.
 * Records of assets are validated like the records of a service.
 */

export const schemaVersion = 2

const matching = (pattern: RegExp, what: string) => v.pipe(v.string(), v.regex(pattern, what))
const uuid = matching(/^[0-9A-F]{8}(-[0-9A-F]{4}){3}-[0-9A-F]{12}$/, 'an upper-case uuid')
const sha256 = matching(/^sha256-[A-Za-z0-9+/]{43}=$/, 'a sha256 in the format of Subresource Integrity')
const date = matching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/, 'a date in ISO 8601')
const slugText = v.pipe(v.string(), v.check(isSlug, 'a slug: words of letters and digits, joined by `-`'))
const exportName = v.pipe(v.string(), v.check(isExportName, 'an identifier that can be exported'))
/** Any printable text is valid, because services and queries name cuts. */
const cut = matching(/^[^\p{C}\p{Zl}\p{Zp}]{1,200}$/u, 'the type of a cut')
const spaceId = matching(/^[^:\p{Cc}\p{Zl}\p{Zp}]+$/u, 'the id of a space')
const whole = v.union([v.picklist(['kit', 'outline', 'tokens']), uuid])
const count = v.pipe(v.number(), v.safeInteger('a whole number from 0'), v.minValue(0, 'a whole number from 0'))
const record = v.record(v.string(), v.unknown())
const anyText = v.string()
const shortId = v.optional(matching(/^\w{1,40}$/, 'a short id: letters and digits'))

/** Who uses an entry that the scan of the source doesn't find: a build, or a folder that `pull` writes. */
const by = v.optional(v.picklist(['build', 'pull']))
const flag = v.optional(v.literal(true))
const label = { version: count, versionIdentifier: anyText, date: v.optional(date) }
const names = {
  slug: slugText,
  aliases: v.optional(v.array(slugText)),
  former: v.optional(v.array(v.union([slugText, exportName]))),
}

const lockedAsset = v.strictObject({
  name: exportName,
  slug: slugText,
  aliases: v.optional(v.array(v.strictObject({ name: exportName, slug: slugText }))),
  former: names.former,
  shortId,
  by,
  source: v.optional(uuid),
  full: flag,
  record: v.optional(record),
  fields: v.optional(v.record(v.string(), v.union([v.string(), v.number(), v.array(v.string())]))),
  files: v.optional(v.record(cut, sha256)),
  lastSeen: v.optional(v.strictObject(label)),
})

const lockedSection = v.strictObject({
  ...names,
  shortId,
  name: v.optional(anyText),
  at: v.optional(count),
  counts: v.optional(v.strictObject({ assets: v.number(), items: v.number() })),
  raw: v.optional(v.unknown()),
})

const lockedItem = v.strictObject({
  ...names,
  slug: v.optional(slugText),
  shortId,
  section: v.optional(uuid),
  at: v.optional(count),
  type: anyText,
  content: v.optional(anyText),
  displaySize: v.optional(anyText),
  language: v.optional(anyText),
  title: v.optional(anyText),
  color: v.optional(anyText),
  name: v.optional(anyText),
  data: v.optional(v.unknown()),
  asset: v.optional(uuid),
  assets: v.optional(v.array(uuid)),
  display: v.optional(record),
  processing: flag,
  raw: v.optional(v.unknown()),
})

const definition = v.strictObject({
  id: v.number(),
  key: anyText,
  name: anyText,
  type: anyText,
  options: v.optional(v.array(anyText)),
})

const lockedHead = v.strictObject({
  status: v.optional(anyText),
  description: v.optional(anyText),
  notes: v.optional(anyText),
  counts: v.optional(v.strictObject({ assets: v.number(), items: v.number(), sections: v.number() })),
  dateAdded: v.optional(anyText),
  fields: v.optional(v.array(definition)),
  raw: v.optional(v.strictObject({ kit: v.optional(v.unknown()), version: v.optional(v.unknown()) })),
})

const lockedTable = v.strictObject({
  label: anyText,
  date: v.optional(date),
  head: v.optional(lockedHead),
  darkPattern: v.optional(anyText),
  whole: v.optional(v.record(whole, v.strictObject({ by, full: flag }))),
  sections: v.record(uuid, lockedSection),
  items: v.record(uuid, lockedItem),
  assets: v.record(uuid, lockedAsset),
})

/** The number of a version, or the text of a revision of a source. */
const revision = matching(/^[^\p{Cc}\p{Zl}\p{Zp}]{1,200}$/u, 'a version or a revision')

const lockedKit = v.strictObject({
  name: anyText,
  ...names,
  shortId,
  /** Empty after `update --rename` for a kit that the space no longer has. */
  slug: v.union([v.literal(''), slugText]),
  space: v.optional(spaceId),
  use: v.optional(v.union([count, revision])),
  versions: v.record(revision, lockedTable),
})

const listedKit = v.strictObject({
  at: count,
  name: anyText,
  description: v.optional(anyText),
  status: anyText,
  useVersion: count,
  dateAdded: v.optional(anyText),
  dateUpdated: v.optional(anyText),
  cover: v.optional(anyText),
  raw: v.optional(v.unknown()),
})

/** The order of keys in an entry. @internal */
export const keyOrder = Object.keys({ ...lockedAsset.entries, ...lockedSection.entries, ...lockedItem.entries })

const schema = v.strictObject({
  lockfileVersion: v.literal(schemaVersion),
  space: v.optional(spaceId),
  list: v.optional(v.record(uuid, listedKit)),
  kits: v.record(uuid, lockedKit),
})

/** A version of a kit: its number, its label and its last date (ISO 8601). */
export interface LockedVersion {
  version: number
  versionIdentifier: string
  date?: string | undefined
}

export type UsedBy = 'build' | 'pull'

/** A slug, and earlier slugs from before upstream renames. `former` contains slugs that no longer work. */
export interface LockedSlug {
  slug: string
  aliases?: string[] | undefined
  former?: string[] | undefined
  /** The service's short id, which ids in the source may use to refer to a kit, section, heading or item. */
  shortId?: string | undefined
}

/**
 * The facts about an asset that a build needs. An asset of a draft has only its names and its revision, because drafts
 * change.
 */
export interface LockedAsset {
  name: string
  slug: string
  aliases?: { name: string; slug: string }[] | undefined
  former?: string[] | undefined
  /** Absent if only the items that contain the asset have a short id. */
  shortId?: string | undefined
  /** Absent if the source uses the asset. */
  by?: UsedBy | undefined
  /** The uuid of the draft's asset, if this version has a different uuid. */
  source?: string | undefined
  /** Whether `record` is complete, as the service sent it. */
  full?: true | undefined
  /** The fields of the record that determine modules, as the service spells them. Absent for a removed asset. */
  record?: Record<string, unknown> | undefined
  /** The values of custom fields. */
  fields?: Record<string, FieldValue> | undefined
  /** The sha256 of the original (`original`) and cuts (`PNG`) in the format of Subresource Integrity. */
  files?: Record<string, string> | undefined
  /** The last version that contained a removed asset. */
  lastSeen?: VersionLabel | undefined
}

/** A section in use. A draft's section has only its slugs. */
export interface LockedSection extends LockedSlug {
  name?: string | undefined
  /** Its position in display order. */
  at?: number | undefined
  counts?: { assets: number; items: number } | undefined
  raw?: unknown
}

/** An item of a section. A heading has slugs. */
export interface LockedItem extends Omit<LoadedItem, 'uuid'>, Pick<LockedSlug, 'aliases' | 'former' | 'shortId'> {
  slug?: string | undefined
  section?: string | undefined
  at?: number | undefined
}

/** A part of a version that a table contains completely: the kit, its outline, its tokens, or a section or heading. */
type WholePart = string

export interface LockedTable {
  label: string
  date?: string | undefined
  head?: LockedHead | undefined
  /** The value of option `darkPattern` when we last searched for counterparts. */
  darkPattern?: string | undefined
  whole?: Record<WholePart, { by?: UsedBy | undefined; full?: true | undefined }> | undefined
  sections: Record<string, LockedSection>
  items: Record<string, LockedItem>
  assets: Record<string, LockedAsset>
}

/** The description of a version. */
interface LockedHead {
  status?: string | undefined
  description?: string | undefined
  notes?: string | undefined
  counts?: KitHead['counts'] | undefined
  dateAdded?: string | undefined
  fields?: FieldDefinition[] | undefined
  raw?: { kit?: unknown; version?: unknown } | undefined
}

export interface LockedKit extends LockedSlug {
  name: string
  /** The id of the space or the name of the source that the kit comes from, if it has its own source. */
  space?: string | undefined
  /** The version that `use` resolves to. */
  use?: number | undefined
  versions: Record<string, LockedTable>
}

/** A kit in the list of kits of a space. */
export interface LockedSummary {
  /** Its position in the list. */
  at: number
  name: string
  description?: string | undefined
  status: string
  useVersion: number
  dateAdded?: string | undefined
  dateUpdated?: string | undefined
  cover?: string | undefined
  raw?: unknown
}

/** The id of the space if known, its list of kits if the project imports it, and the kits in use by uuid. */
export interface Lock {
  space?: string | undefined
  list?: Record<string, LockedSummary> | undefined
  kits: Record<string, LockedKit>
}

export const emptyLock: Lock = { kits: {} }

/**
 * Parses the text of a lockfile.
 * @throws ContentSpaceError `invalidLock` for merge conflict markers, a byte order mark, another format, or invalid
 *   content
 */
export function parseLock(text: string, file: string): Lock {
  if (/^(<{7}|={7}|>{7}|\|{7})( |$)/m.test(text)) {
    const hint = 'Resolve the conflicts, or restore the file from version control and run `npx content-space sync`.'
    throw invalidLock(file, 'contains merge conflict markers', hint)
  }
  if (text.startsWith('\uFEFF'))
    throw invalidLock(file, 'starts with a byte order mark', 'Save it as UTF-8 without a byte order mark.')
  return lockFromJson(readJson(text, file), file)
}

/**
 * Checks the value of a lockfile.
 * @throws ContentSpaceError `invalidLock` for another format, or invalid content
 */
export function lockFromJson(json: unknown, file: string): Lock {
  const version = v.safeParse(v.looseObject({ lockfileVersion: v.number() }), json)
  if (version.success && version.output.lockfileVersion > schemaVersion) {
    const problem = `has lockfileVersion ${version.output.lockfileVersion}, but this package supports ${schemaVersion}`
    throw invalidLock(file, problem, 'Update unplugin-content-space.')
  }
  if (version.success && version.output.lockfileVersion < schemaVersion) {
    const problem = `has lockfileVersion ${version.output.lockfileVersion}, which this package no longer reads`
    throw invalidLock(file, problem, 'Run `npx content-space sync`, which writes a new lockfile with the same names.')
  }
  const parsed = v.safeParse(schema, json)
  if (!parsed.success) {
    const [issue] = parsed.issues
    throw invalidLock(file, `is invalid: ${pathOfIssue(issue)} ${problemOfIssue(issue)}`, restore)
  }
  const { lockfileVersion: _, ...lock } = parsed.output
  const kits = Object.entries(lock.kits).map(([kit, { versions, use, ...rest }]) => [
    kit,
    {
      ...rest,
      ...(use !== undefined && { use: typeof use === 'string' ? versionOf(use) : use }),
      versions: byNumber(versions, kit, file),
    },
  ])
  const numbered: Lock = { ...lock, kits: Object.fromEntries(kits) }
  requireUniqueNames(numbered, file)
  return numbered
}

/** Replaces revisions of sources with the version numbers that stand for them. */
function byNumber(versions: LockedKit['versions'], kit: string, file: string): LockedKit['versions'] {
  const entries = Object.entries(versions).map(([key, table]) => {
    if (/^\d{1,15}$/.test(key)) return [key, table] as const
    if (key === table.label) return [String(versionOf(key)), table] as const
    throw invalidLock(
      file,
      `is invalid: kits[${jsonText(kit)}].versions[${jsonText(key)}] must be a version number`,
      restore,
    )
  })
  return Object.fromEntries(entries)
}

/**
 * Rejects names that two assets share, because imports of these names would be ambiguous. A merge of branches may cause
 * this.
 * @throws ContentSpaceError `invalidLock`
 */
export function requireUniqueNames({ kits }: Lock, file: string): void {
  for (const [kit, { slug, versions }] of Object.entries(kits))
    for (const [version, { assets }] of Object.entries(versions))
      requireUnique(`${slug || kit}@${version}`, assets, file)
}

function problemOfIssue({ kind, type, expected, received, message }: v.BaseIssue<unknown>): string {
  if (kind !== 'schema') return `must be ${message}`
  if (type === 'strict_object' && received === 'undefined') return 'is missing'
  return expected === 'never' ? 'is unknown' : `must be ${expected ?? 'something else'}`
}

/** Formats the location of an issue as a JSON path. */
function pathOfIssue({ path }: v.BaseIssue<unknown>): string {
  const text = (path ?? [])
    .map(({ key }) => (/^[a-z_]\w*$/i.test(String(key)) ? `.${String(key)}` : `[${jsonText(key)}]`))
    .join('')
  return text === '' ? 'the file' : text.replace(/^\./, '')
}

const restore = 'Restore it from version control, or delete it and run `npx content-space sync`.'

function readJson(text: string, file: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw invalidLock(file, 'is not valid JSON', restore, cause)
  }
}

function requireUnique(kit: string, assets: LockedTable['assets'], file: string): void {
  const owners = new Map<string, string>()
  for (const [asset, { name, aliases = [] }] of Object.entries(assets)) {
    for (const text of aliases.length === 0 ? [name] : [name, ...aliases.map((alias) => alias.name)]) {
      const owner = owners.get(text)
      if (owner !== undefined && owner !== asset) {
        const problem = `contains the name ${text} for two assets of kit ${kit}: ${owner} and ${asset}`
        throw invalidLock(file, problem, 'Delete the line of one of them and run `npx content-space sync`.')
      }
      owners.set(text, asset)
    }
  }
}

export function invalidLock(file: string, problem: string, hint: string, cause?: unknown): ContentSpaceError {
  return new ContentSpaceError('invalidLock', `${file} ${problem}.`, { hint, cause })
}
