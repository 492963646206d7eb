import * as v from 'valibot'
import { escapeHidden, jsonText } from '../text/display.js'
import { ContentSpaceError } from '../errors.js'
import { compareStrings } from '../text/compare.js'
import { isExportName, isSlug } from '../kit/identifiers.js'

/**
 * `content-space.lock.json`: what names mean and what bytes are, so that a build gives the same result tomorrow.
 * It holds no time, path, host or secret of ours. Keys are sorted, and every entry is one line between blank lines,
 * because git joins two changes only when an unchanged line lies between them.
 *
 * It is read as what it is and nothing else, because names become code, slugs become paths, and a pull request can
 * change it: only labels of versions are free texts, and those are shown and used for nothing.
 */
const schemaVersion = 1

const uuid = v.pipe(v.string(), v.regex(/^[0-9A-F]{8}(-[0-9A-F]{4}){3}-[0-9A-F]{12}$/, 'an upper-case uuid'))
const sha256 = v.pipe(
  v.string(),
  v.regex(/^sha256-[A-Za-z0-9+/]{43}=$/, 'a sha256 in the form of Subresource Integrity'),
)

const date = v.pipe(
  v.string(),
  v.regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/, 'a date in the form of ISO 8601'),
)
/** As services send it: md5, sha1 and sha256 are known, others only compared. */
const fileHash = v.pipe(v.string(), v.regex(/^(0[hx])?[\da-f]+$/, 'a hash in lower-case hexadecimal'))
const slugText = v.pipe(v.string(), v.check(isSlug, 'a slug: words of letters and digits, joined by `-`'))
const exportName = v.pipe(v.string(), v.check(isExportName, 'an identifier that can be exported'))
/** Cuts are types that services name, and options of a build. */
const cut = v.pipe(v.string(), v.regex(/^[^\p{C}\p{Zl}\p{Zp}]{1,200}$/u, 'the type of a cut'))
const spaceId = v.pipe(v.string(), v.regex(/^[^:\p{Cc}\p{Zl}\p{Zp}]+$/u, 'the id of a space'))

const lockedVersion = v.strictObject({
  version: v.pipe(v.number(), v.safeInteger('a whole number from 0'), v.minValue(0, 'a whole number from 0')),
  versionIdentifier: v.string(),
  date: v.optional(date),
})

const lockedSlug = v.strictObject({ slug: slugText, aliases: v.optional(v.array(slugText)) })

const lockedAsset = v.strictObject({
  name: exportName,
  slug: slugText,
  aliases: v.optional(v.array(v.strictObject({ name: exportName, slug: slugText }))),
  file_hash: v.optional(fileHash),
  files: v.optional(v.record(cut, sha256)),
  lastSeen: v.optional(lockedVersion),
})

const lockedKit = v.strictObject({
  ...lockedSlug.entries,
  /** Empty: `update --rename` has dropped it, and the space no longer has the kit. */
  slug: v.union([v.literal(''), slugText]),
  selectors: v.record(
    v.pipe(v.string(), v.regex(/^(use|draft|\d{1,15})$/, 'use, draft or a version number')),
    lockedVersion,
  ),
  sections: v.record(uuid, lockedSlug),
  headings: v.record(uuid, lockedSlug),
  assets: v.record(uuid, lockedAsset),
})

const schema = v.strictObject({
  lockfileVersion: v.literal(schemaVersion),
  space: v.optional(spaceId),
  kits: v.record(uuid, lockedKit),
})

/** What a selector of a kit resolved to: the version's number, its label and its last date (ISO 8601). */
export type LockedVersion = v.InferOutput<typeof lockedVersion>
/** The slug given, and those given before upstream renames. */
export type LockedSlug = v.InferOutput<typeof lockedSlug>
/**
 * An asset: its export name and slug, and those it had before; the service's `file_hash`; the sha256 of its
 * original (`original`) and cuts (`PNG`) in the form of Subresource Integrity; once it is gone, where it was last.
 */
export type LockedAsset = v.InferOutput<typeof lockedAsset>
export type LockedKit = v.InferOutput<typeof lockedKit>
/** The space's id, where it is known, and its kits by uuid. */
export type Lock = Omit<v.InferOutput<typeof schema>, 'lockfileVersion'>

export const emptyLock: Lock = { kits: {} }

/**
 * Reads the text of a lock.
 * @param file named in errors
 * @throws ContentSpaceError `invalidLock`: conflict markers, a byte order mark, a newer schema, or no lock at all
 */
export function parseLock(text: string, file: string): Lock {
  if (/^(<{7}|={7}|>{7}|\|{7})( |$)/m.test(text)) {
    throw invalid(
      file,
      'holds the conflict markers of a merge',
      'Resolve them: each side’s lines can be kept side by side.',
    )
  }
  if (text.startsWith('\uFEFF')) throw invalid(file, 'begins with a byte order mark', 'Save it as UTF-8 without one.')
  const json = readJson(text, file)
  const version = v.safeParse(v.looseObject({ lockfileVersion: v.number() }), json)
  if (version.success && version.output.lockfileVersion > schemaVersion) {
    throw invalid(
      file,
      `has lockfileVersion ${version.output.lockfileVersion}, and this version reads ${schemaVersion}`,
      'Update unplugin-content-space.',
    )
  }
  const parsed = v.safeParse(schema, json)
  if (!parsed.success) {
    const [{ expected, kind, message }] = parsed.issues
    const said = kind === 'schema' ? `should be ${expected ?? 'something else'}` : `is not ${message}`
    throw invalid(file, `cannot be read: ${placeOf(parsed.issues[0])} ${said}`, restore)
  }
  const { lockfileVersion: _, ...lock } = parsed.output
  for (const [kit, { assets }] of Object.entries(lock.kits)) refuseNameTwice(kit, assets, file)
  return lock
}

/** Where an issue is, as a path of JSON. */
function placeOf({ path }: v.BaseIssue<unknown>): string {
  const place = (path ?? [])
    .map(({ key }) => (/^[a-z_]\w*$/i.test(String(key)) ? `.${String(key)}` : `[${jsonText(key)}]`))
    .join('')
  return place === '' ? 'it' : place.replace(/^\./, '')
}

const restore = 'Restore it from version control, or delete it and run `content-space sync`.'

function readJson(text: string, file: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw invalid(file, 'is not JSON', restore, cause)
  }
}

/** A merge can bring two assets that were given the same name on two branches. Neither may silently win. */
function refuseNameTwice(kit: string, assets: LockedKit['assets'], file: string): void {
  const owners = new Map<string, string>()
  for (const [asset, { name, aliases = [] }] of Object.entries(assets)) {
    for (const given of [name, ...aliases.map((alias) => alias.name)]) {
      const owner = owners.get(given)
      if (owner !== undefined && owner !== asset) {
        throw invalid(
          file,
          `gives the name ${given} to two assets of kit ${kit}: ${owner} and ${asset}`,
          'Delete one of the two lines and run `content-space sync`.',
        )
      }
      owners.set(given, asset)
    }
  }
}

function invalid(file: string, what: string, hint: string, cause?: unknown): ContentSpaceError {
  return new ContentSpaceError('invalidLock', `${file} ${what}.`, { hint, cause })
}

/** The text of a lock: the same for the same content, however it was gathered. */
export function formatLock({ space, kits }: Lock): string {
  const fields = [`"lockfileVersion": ${schemaVersion}`]
  if (space !== undefined) fields.push(`"space": ${jsonText(space)}`)
  fields.push(`"kits": ${entries(kits, '    ', (kit) => formatKit(kit))}`)
  return `{\n  ${fields.join(',\n  ')}\n}\n`
}

function formatKit({ slug, aliases, ...tables }: LockedKit): string {
  const indent = ' '.repeat(6)
  const fields = [`"slug": ${jsonText(slug)}`]
  if (aliases !== undefined) fields.push(`"aliases": ${line(aliases)}`)
  for (const table of ['selectors', 'sections', 'headings', 'assets'] as const) {
    fields.push(`"${table}": ${entries<unknown>(tables[table], `${indent}  `, line)}`)
  }
  return `{\n${indent}${fields.join(`,\n${indent}`)}\n    }`
}

function entries<T>(table: Record<string, T>, indent: string, format: (value: T) => string): string {
  const lines = sorted(table).map(([key, value]) => `${indent}${jsonText(key)}: ${format(value)}`)
  return lines.length === 0 ? '{}' : `{\n${lines.join(',\n\n')}\n${indent.slice(2)}}`
}

/** One line of JSON; keys in the order in which a person reads them, else sorted; so are aliases. */
function line(value: unknown): string {
  return escapeHidden(
    JSON.stringify(value, (_, part: unknown) => {
      if (Array.isArray(part)) return part.toSorted((a, b) => compareStrings(JSON.stringify(a), JSON.stringify(b)))
      return isTable(part)
        ? Object.fromEntries(sorted(part).toSorted(([a], [b]) => reading.indexOf(a) - reading.indexOf(b)))
        : part
    }),
  )
}

const reading = ['name', 'slug', 'aliases', 'version', 'versionIdentifier', 'date', 'file_hash', 'files', 'lastSeen']

function isTable(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}

function sorted<T>(table: Record<string, T>): [string, T][] {
  return Object.entries(table).toSorted(([a], [b]) => compareStrings(a, b))
}
