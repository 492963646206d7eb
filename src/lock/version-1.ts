import * as v from 'valibot'
import { ContentSpaceError } from '../errors.js'
import { isExportName, isSlug } from '../kit/identifiers.js'
import type { Lock, LockedTable } from './schema.js'

const slug = v.pipe(v.string(), v.check(isSlug))
const name = v.pipe(v.string(), v.check(isExportName))
const slugs = { slug, aliases: v.optional(v.array(slug)), former: v.optional(v.array(v.union([slug, name]))) }
const named = v.object(slugs)
const label = v.object({ version: v.pipe(v.number(), v.safeInteger(), v.minValue(0)), versionIdentifier: v.string() })
const asset = v.object({
  name,
  ...slugs,
  aliases: v.optional(v.array(v.object({ name, slug }))),
  lastSeen: v.optional(label),
})

const schema = v.object({
  lockfileVersion: v.literal(1),
  space: v.optional(v.string()),
  kits: v.record(
    v.string(),
    v.object({
      ...slugs,
      selectors: v.record(v.string(), label),
      sections: v.record(v.string(), named),
      headings: v.record(v.string(), named),
      assets: v.record(v.string(), asset),
    }),
  ),
})

/** Returns a lock with the names of a version 1 lockfile but no content, or undefined for any other value. */
export function fromVersion1(json: unknown): Lock | undefined {
  const parsed = v.safeParse(schema, json)
  if (!parsed.success) return undefined
  const { space, kits } = parsed.output
  const converted = Object.entries(kits).map(([uuid, { selectors, sections, headings, assets, ...names }]) => {
    const items = Object.fromEntries(Object.entries(headings).map(([key, one]) => [key, { ...one, type: 'heading' }]))
    const versions = Object.values(selectors).map(({ version, versionIdentifier }): [string, LockedTable] => [
      String(version),
      { label: versionIdentifier, sections, items, assets },
    ])
    const use = selectors['use']?.version
    const kit = {
      name: '',
      ...names,
      ...(use !== undefined && { use }),
      versions: Object.fromEntries(versions),
    }
    return [uuid, kit] as const
  })
  return { ...(space !== undefined && { space }), kits: Object.fromEntries(converted) }
}

export function outdatedLock(file: string): ContentSpaceError {
  const message = `${file} has lockfileVersion 1, which builds no longer read.`
  return new ContentSpaceError('invalidLock', message, {
    hint: 'Run `npx content-space sync`, which writes a new lockfile with the same names, and commit it.',
  })
}
