import * as v from 'valibot'
import { jsonText } from '../text/display.js'
import { jsonOf } from '../text/json.js'
import { ContentSpaceError } from '../errors.js'
import { isExportName, isSlug } from '../kit/identifiers.js'

/*
 * `content-space.lock.json` locks names, versions and hashes, so that builds are reproducible. It contains no times,
 * paths, hosts or secrets of this machine. Keys are sorted, and each entry is a line between blank lines, because git
 * merges two changes only if an unchanged line separates them.
 *
 * Reading is strict: a pull request can change the lockfile, its names become code, and its slugs become paths. Only
 * labels of versions are arbitrary text. They are displayed and have no other effect.
 */

export const schemaVersion = 1

/** The white space before the line of an asset. */
export const assetIndent = ' '.repeat(8)

const matching = (pattern: RegExp, what: string) => v.pipe(v.string(), v.regex(pattern, what))
const uuid = matching(/^[0-9A-F]{8}(-[0-9A-F]{4}){3}-[0-9A-F]{12}$/, 'an upper-case uuid')
const sha256 = matching(/^sha256-[A-Za-z0-9+/]{43}=$/, 'a sha256 in the form of Subresource Integrity')
const date = matching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/, 'a date in the form of ISO 8601')
/** As the service sends it. Files are verified with md5, sha1 and sha256; other hashes are only compared. */
const fileHash = matching(/^(0[hx])?[\da-f]+$/, 'a hash in lower-case hexadecimal')
const slugText = v.pipe(v.string(), v.check(isSlug, 'a slug: words of letters and digits, joined by `-`'))
const exportName = v.pipe(v.string(), v.check(isExportName, 'an identifier that can be exported'))
/** Services and queries name cuts, so any printable text is valid. */
const cut = matching(/^[^\p{C}\p{Zl}\p{Zp}]{1,200}$/u, 'the type of a cut')
const spaceId = matching(/^[^:\p{Cc}\p{Zl}\p{Zp}]+$/u, 'the id of a space')

const lockedVersion = v.strictObject({
  version: v.pipe(v.number(), v.safeInteger('a whole number from 0'), v.minValue(0, 'a whole number from 0')),
  versionIdentifier: v.string(),
  date: v.optional(date),
  content: v.optional(sha256),
})

/** Names that `update --rename` has dropped, for errors that name the new ones. */
const former = v.optional(v.array(v.union([slugText, exportName])))

const lockedSlug = v.strictObject({ slug: slugText, aliases: v.optional(v.array(slugText)), former })

const lockedAsset = v.strictObject({
  name: exportName,
  slug: slugText,
  aliases: v.optional(v.array(v.strictObject({ name: exportName, slug: slugText }))),
  former,
  file_hash: v.optional(fileHash),
  files: v.optional(v.record(cut, sha256)),
  revisions: v.optional(v.record(fileHash, v.record(cut, sha256))),
  lastSeen: v.optional(lockedVersion),
})

const lockedKit = v.strictObject({
  ...lockedSlug.entries,
  /** Empty after `update --rename` for a kit that the space no longer has. */
  slug: v.union([v.literal(''), slugText]),
  selectors: v.record(matching(/^(use|draft|\d{1,15})$/, 'use, draft or a version number'), lockedVersion),
  sections: v.record(uuid, lockedSlug),
  headings: v.record(uuid, lockedSlug),
  assets: v.record(uuid, lockedAsset),
})

/** The order of keys in a line. @internal */
export const keyOrder = Object.keys({ ...lockedVersion.entries, ...lockedAsset.entries })

const schema = v.strictObject({
  lockfileVersion: v.literal(schemaVersion),
  space: v.optional(spaceId),
  kits: v.record(uuid, lockedKit),
})

/**
 * The version that a selector of a kit resolves to: its number, its label, its last date (ISO 8601), and the digest of
 * its listing, as `contentDigest` returns it. Drafts and lockfiles of earlier releases have no digest.
 */
export interface LockedVersion {
  version: number
  versionIdentifier: string
  date?: string | undefined
  content?: string | undefined
}

/** A slug, and the slugs from before upstream renames. `former`: those that no longer work. */
export interface LockedSlug {
  slug: string
  aliases?: string[] | undefined
  former?: string[] | undefined
}

/**
 * An asset: its export name and slug, with those from before upstream renames, and those of them that no longer work
 * (`former`); the service's `file_hash`; the sha256 of its original (`original`) and cuts (`PNG`) in the format of
 * Subresource Integrity; and, once it is removed, the last version that contained it.
 */
export interface LockedAsset {
  name: string
  slug: string
  aliases?: { name: string; slug: string }[] | undefined
  former?: string[] | undefined
  file_hash?: string | undefined
  files?: Record<string, string> | undefined
  /** By `file_hash`: the hashes of the files of other versions, where these have other files. */
  revisions?: Record<string, Record<string, string>> | undefined
  lastSeen?: LockedVersion | undefined
}

export interface LockedKit extends LockedSlug {
  selectors: Record<string, LockedVersion>
  sections: Record<string, LockedSlug>
  headings: Record<string, LockedSlug>
  assets: Record<string, LockedAsset>
}

/** The id of the space, if it is known, and its kits by uuid. */
export interface Lock {
  space?: string | undefined
  kits: Record<string, LockedKit>
}

export const emptyLock: Lock = { kits: {} }

/**
 * Parses the text of a lockfile.
 * @throws ContentSpaceError `invalidLock` for merge conflict markers, a byte order mark, a newer format, or invalid
 *   content
 */
export function parseLock(text: string, file: string): Lock {
  if (/^(<{7}|={7}|>{7}|\|{7})( |$)/m.test(text)) {
    const hint = 'Resolve the conflicts, or restore the file from version control and run `content-space sync`.'
    throw invalidLock(file, 'contains merge conflict markers', hint)
  }
  if (text.startsWith('\uFEFF'))
    throw invalidLock(file, 'starts with a byte order mark', 'Save it as UTF-8 without a byte order mark.')
  return lockFromJson(readJson(text, file), file)
}

/**
 * Checks the value of a lockfile.
 * @throws ContentSpaceError `invalidLock` for a newer format, or invalid content
 */
export function lockFromJson(json: unknown, file: string): Lock {
  const version = v.safeParse(v.looseObject({ lockfileVersion: v.number() }), json)
  if (version.success && version.output.lockfileVersion > schemaVersion) {
    const problem = `has lockfileVersion ${version.output.lockfileVersion}, and this package supports ${schemaVersion}`
    throw invalidLock(file, problem, 'Update unplugin-content-space.')
  }
  const parsed = v.safeParse(schema, json)
  if (!parsed.success) {
    const [issue] = parsed.issues
    throw invalidLock(file, `is invalid: ${pathOf(issue)} ${problemOf(issue)}`, restore)
  }
  const { lockfileVersion: _, ...lock } = parsed.output
  requireUniqueNames(lock, file)
  return lock
}

/**
 * Rejects names that two assets have, as after a merge of branches: imports of such a name would be ambiguous.
 * @throws ContentSpaceError `invalidLock`
 */
export function requireUniqueNames({ kits }: Lock, file: string): void {
  for (const [kit, { slug, assets }] of Object.entries(kits)) requireUnique(slug || kit, assets, file)
}

function problemOf({ kind, type, expected, received, message }: v.BaseIssue<unknown>): string {
  if (kind !== 'schema') return `must be ${message}`
  if (type === 'strict_object' && received === 'undefined') return 'is missing'
  return expected === 'never' ? 'is unknown' : `must be ${expected ?? 'something else'}`
}

/** Formats the place of an issue as a JSON path. */
function pathOf({ path }: v.BaseIssue<unknown>): string {
  const text = (path ?? [])
    .map(({ key }) => (/^[a-z_]\w*$/i.test(String(key)) ? `.${String(key)}` : `[${jsonText(key)}]`))
    .join('')
  return text === '' ? 'the file' : text.replace(/^\./, '')
}

const restore = 'Restore it from version control, or delete it and run `content-space sync`.'

function readJson(text: string, file: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw invalidLock(file, 'is not valid JSON', restore, cause)
  }
}

function requireUnique(kit: string, assets: LockedKit['assets'], file: string): void {
  const owners = new Map<string, string>()
  for (const [asset, { name, aliases = [] }] of Object.entries(assets)) {
    for (const text of aliases.length === 0 ? [name] : [name, ...aliases.map((alias) => alias.name)]) {
      const owner = owners.get(text)
      if (owner !== undefined && owner !== asset) {
        const problem = `contains the name ${text} for two assets of kit ${kit}: ${owner} and ${asset}`
        throw invalidLock(file, problem, 'Delete the line of one of them and run `content-space sync`.')
      }
      owners.set(text, asset)
    }
  }
}

export function invalidLock(file: string, problem: string, hint: string, cause?: unknown): ContentSpaceError {
  return new ContentSpaceError('invalidLock', `${file} ${problem}.`, { hint, cause })
}

/**
 * Returns the entries of an asset, from its lines in the text of a lockfile, of which nothing else is read.
 * @returns undefined if the text contains no line of the asset in the format of `formatLock`
 */
export function lockedEntriesIn(text: string, asset: string): LockedAsset[] | undefined {
  const start = `\n${assetIndent}${jsonText(asset)}: `
  const found: LockedAsset[] = []
  for (let at = text.indexOf(start); at !== -1; at = text.indexOf(start, at + 1)) {
    const entry = text.slice(at + start.length, text.indexOf('\n', at + 1)).replace(/,$/, '')
    const parsed = v.safeParse(lockedAsset, jsonOf(entry))
    if (!parsed.success) return undefined
    found.push(parsed.output)
  }
  return found.length === 0 ? undefined : found
}
