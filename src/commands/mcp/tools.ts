import type { KnownAsset } from '../../asset.js'
import { attempt } from '../../async/attempt.js'
import { createModel, groupOfAsset, referenceIn } from '../shared/kit-page/model.js'
import { choicesOf } from '../shared/kit-page/query.js'
import { snippetsOf } from '../shared/kit-page/snippets.js'
import type { Engine } from '../../engine/engine.js'
import { ContentSpaceError, ignoreOwnErrors } from '../../errors.js'
import { planAsset } from '../../files/plan.js'
import { readColors } from '../../kit/css-colors.js'
import { shownType } from '../../kit/font-asset.js'
import { findAsset } from '../../kit/named-kit.js'
import { assetsIn, filterKit } from '../../kit/select.js'
import type { Query } from '../../request/query.js'
import { parseKit } from '../../request/request.js'
import { spaceOf, type AssetRecord } from '../../space/space.js'
import { assetsOf } from '../../space/item-kinds.js'
import { canonicalName } from '../../space/short-id.js'
import { objectOf } from '../../text/json.js'
import { oneLine, shorten } from '../../text/display.js'
import { omitUndefined } from '../../text/omit-undefined.js'
import { searchProject } from '../shared/findings/search.js'
import { hasPreview } from '../shared/choose-preview.js'
import { kitData } from '../shared/kit-data.js'
import { withShownFiles, type Picture } from '../shared/pictures.js'
import { describeParameters, frameworkOf } from '../shared/project.js'
import { findUsage } from '../shared/usage.js'
import { loadKits, type FoundKit } from '../shared/kits.js'
import { noAddresses, type FoundAsset, type Search } from '../shared/search.js'

export { publicText } from '../shared/public-message.js'
export { catalog } from '../shared/catalog.js'
export { openSearch } from '../shared/search.js'

/*
 * The tools for agents. Strings from the space are shortened to one line without hidden characters, and appear only in
 * values of the results.
 */

interface Paged {
  limit?: number | undefined
  cursor?: string | undefined
}

type Texts<Name extends string> = Partial<Record<Name, string | undefined>>

/** The maximum lengths of the space's strings in characters, and the maximum numbers of entries. */
const limits = { name: 80, text: 100, longText: 600, keywords: 6, fields: 8, sections: 40, places: 8 }

/** The number of entries in a response if the request doesn't specify one. */
const usualEntries = 8

/**
 * The maximum size of a response as JSON, in bytes. An agent pays for each token, which is about four bytes. The
 * response may be longer if the request specifies a number of entries.
 */
const maxAnswer = 5500

/** The maximum size of a picture in bytes. */
const maxPicture = 64 * 1024

/** The width of a picture in pixels. */
const pictureWidth = 160

/** Shortens the text again after escaping, because escaped invisible characters are longer. */
const shown = (text: string, limit = limits.text): string => shorten(oneLine(shorten(text, limit)), limit)

export async function listKits(engine: Engine, paged: Paged) {
  const kits = await loadKits(engine)
  const { part, ...rest } = page(kits, paged, ({ id, kit: { name, version, description, counts, sections } }) => ({
    id,
    name: shown(name, limits.name),
    version,
    assets: counts.assets,
    sections: sections.slice(0, limits.sections).map(({ slug }) => shown(slug, limits.name)),
    ...omitUndefined({ description: description && shown(description, limits.longText) }),
  }))
  return { kits: part, ...rest }
}

/**
 * Finds assets. The best matches come first.
 * @throws ContentSpaceError any error of loading a kit, and of `filterKit` if no kit has the section or type
 */
export async function searchAssets(
  engine: Engine,
  search: Search,
  { query = '', type, color, section, kit, ...paged }: Paged & Texts<'query' | 'type' | 'color' | 'section' | 'kit'>,
) {
  const loaded = await loadKits(engine, kit === undefined ? kit : [kit])
  const kits = filterKits(loaded, omitUndefined({ section, type }))
  const text = color === undefined ? query : `${query} color:${color.replaceAll(/\s/g, '')}`
  const { assets, suggestion } = await search(kits, text)
  const colors = await readColors(assets.map(({ asset }) => asset))
  const { part, ...rest } = page(assets, paged, (found) => ({
    ...describe(found),
    ...omitUndefined({ color: colors.get(found.asset.uuid)?.css }),
  }))
  return { assets: part, ...rest, ...omitUndefined({ suggestion: suggestion && shown(suggestion) }) }
}

/**
 * Describes an asset, including the statements that import it.
 * @param asset a slug, uuid or export name
 * @throws ContentSpaceError any error of loading a kit; `assetNotFound`, `ambiguousName`
 */
export async function getAsset(engine: Engine, { kit: id, asset: name }: { kit: string; asset: string }) {
  const named = await engine.catalog.load(parseKit(id, engine.options.kits))
  const exported = [...named.assets].find(([, names]) => names.name === name)?.[0]
  const record = named.kit.assets[exported ?? ''] ?? findAsset(named, canonicalName(name))
  const model = createModel(await kitData(named, id, noAddresses))
  const data = model.kit.assets[record.uuid]
  if (data === undefined) throw new ContentSpaceError('assetNotFound', `No section of ${id} shows ${name}.`)
  const { color, colors, cuts, fields = {}, font, keywords, kind, notes, size, width, height } = data
  const place = groupOfAsset(model, record.uuid)
  const shownIn = model.places.get(record.uuid) ?? []
  const framework = frameworkOf(engine.options)
  // Without a framework, `as=component` is an error.
  const { component: _, ...others } = data
  const statements = snippetsOf(model, framework ? data : others, framework)
  const queries = kind === 'picture' || cuts.length > 0 ? choicesOf(describeParameters(), data) : []
  return {
    record,
    answer: fitted(
      {
        kit: id,
        ...namesForAgent(data, referenceIn(model, data)),
        type: shownType(record),
        section: shown(place?.section ?? '', limits.name),
        captions: shownIn.flatMap(({ caption }) => (caption ? [shown(caption)] : [])).slice(0, limits.keywords),
        notes: shown(notes, limits.longText),
        keywords: keywords.slice(0, 2 * limits.keywords).map((keyword) => shown(keyword, 40)),
        fields: fieldsOf(fields),
        colors: color ? [color.css] : colors,
        statements: statements.map(({ label, code }) => ({ for: label, code })),
        queries: queries.flatMap(({ key, offered, isFrequent, description }) => {
          const values = offered.filter((value) => framework || value !== 'component').slice(0, limits.fields)
          return isFrequent ? [{ key, values, description }] : []
        }),
        ...omitUndefined({
          heading: place?.headingName && shown(place.headingName, limits.name),
          width,
          height,
          size,
          font: font && shown(font.family),
          meta: kind === 'data' ? fieldsOf(objectOf(record.meta)) : undefined,
        }),
      },
      ['notes', 'keywords', 'captions', 'fields', 'meta', 'colors', 'queries', 'statements'],
    ),
  }
}

/**
 * Makes a small picture of an asset if its file is in the cache or in a folder. Doesn't send a request for it.
 * @returns undefined for an asset without a picture
 */
export async function pictureOf(engine: Engine, asset: AssetRecord, signal: AbortSignal): Promise<Picture | undefined> {
  const query: Query = { as: 'url', full: false, w: [pictureWidth], format: ['webp'] }
  return withShownFiles(engine, async (files, pictures) => {
    const file = hasPreview(asset) ? planAsset(asset, query, 'sanitize').src : undefined
    if (file === undefined || !(spaceOf(engine.space, file.from?.kit).local || (await files.has(file))))
      return undefined
    const picture = await pictures.file(file, signal)
    return picture.bytes.length <= maxPicture ? picture : undefined
  }).catch(ignoreOwnErrors)
}

/** Lists the assets that the source of the project imports, with their locations. */
export async function listUsage(
  engine: Engine,
  { kit, asset, ...paged }: Paged & Texts<'kit' | 'asset'>,
  signal: AbortSignal,
) {
  const { assets, refused } = await findUsage({ ...engine, reasonOf: shown }, signal)
  const known = new Map(
    (await loadKits(engine, kit === undefined ? kit : [kit]))
      .flatMap((each) => assetsIn(each.kit.sections).map((one) => ({ ...each, asset: one })))
      .map((found) => [found.asset.uuid, found]),
  )
  const used = Object.entries(assets).flatMap(([uuid, { places }]) => {
    const found = known.get(uuid)
    if (!found || (asset !== undefined && ![uuid, found.asset.slug, found.asset.export].includes(asset))) return []
    return [{ found, places }]
  })
  const invalid = refused
    .slice(0, limits.fields)
    .map(({ file, line, specifier, reason }) => ({ file: shown(file), line, specifier: shown(specifier), reason }))
  const { part, ...rest } = page(used, paged, ({ found, places }) => ({
    kit: found.id,
    ...namesForAgent(found.asset),
    places: places.slice(0, limits.places).map(({ file, line }) => `${shown(file, limits.longText)}:${line}`),
    ...(places.length > limits.places && { more: places.length - limits.places }),
  }))
  return { assets: part, ...rest, invalid }
}

/**
 * Lists kit content in the project that wasn't imported. Doesn't compare SVGs that the cache lacks, so that no file is
 * downloaded.
 */
export async function listFindings(
  engine: Engine,
  { paths, ...paged }: Paged & { paths?: string[] | undefined },
  signal: AbortSignal,
) {
  const { findings } = await searchProject(engine, { paths, download: false }, signal)
  const { part, ...rest } = page(findings, paged, ({ file, line, finding, kit, asset, import: statement }) => ({
    file: shown(file, limits.longText),
    line,
    finding,
    kit,
    asset: asset.slug.length > limits.name ? asset.uuid : asset.slug,
    name: shown(asset.name, limits.name),
    ...omitUndefined({ import: statement }),
  }))
  return { findings: part, ...rest }
}

/** Filters each kit. Leaves out kits without the section or type, unless all kits lack it. */
function filterKits(kits: readonly FoundKit[], filter: Parameters<typeof filterKit>[1]): FoundKit[] {
  let failure: unknown
  const keep = (error: unknown): undefined => void (failure ??= error)
  const filtered = kits.flatMap(({ id, kit }) => attempt(() => ({ id, kit: filterKit(kit, filter) }), keep) ?? [])
  if (filtered.length === 0 && failure !== undefined) throw failure
  return filtered
}

function describe({ id, kit, asset }: FoundAsset) {
  const { uuid, width, height, keywords, notes, fields = {} } = asset
  const section = kit.sections.find(({ items }) =>
    items.some((item) => assetsOf(item).some((one) => one.uuid === uuid)),
  )
  return {
    kit: id,
    ...namesForAgent(asset),
    type: shownType(asset),
    section: shown(section?.slug ?? '', limits.name),
    ...omitUndefined({ width, height }),
    ...(keywords.length > 0 && { keywords: keywords.slice(0, limits.keywords).map((keyword) => shown(keyword, 40)) }),
    ...(notes && { notes: shown(notes) }),
    ...(Object.keys(fields).length > 0 && { fields: fieldsOf(fields) }),
  }
}

/** Leaves out an export name or slug that would be truncated. Only the uuid then imports the asset. */
function namesForAgent(
  { uuid, name, export: exported, slug }: Pick<KnownAsset, 'uuid' | 'name' | 'export' | 'slug'>,
  reference = slug,
) {
  return {
    asset: reference.length > limits.name ? uuid : reference,
    ...(exported.length <= limits.name && { export: exported }),
    name: shown(name, limits.name),
  }
}

const textOfValue = (value: unknown) => (Object(value) === value ? JSON.stringify(value) : String(value))

function fieldsOf(fields: Readonly<Record<string, unknown>>): Record<string, string> {
  const entries = Object.entries(fields).slice(0, limits.fields)
  return Object.fromEntries(
    entries.map(([key, value]) => [shown(key, limits.name), shown([value].flat().map(textOfValue).join(', '))]),
  )
}

/**
 * Starting at a cursor, describes as many entries of a list as fit into a response.
 * @throws ContentSpaceError `invalidOption` for an unknown cursor
 */
function page<T, D>(list: readonly T[], { limit, cursor = '0' }: Paged, describeOne: (entry: T) => D) {
  const start = Number(cursor)
  if (!/^\d+$/.test(cursor) || start > list.length)
    throw new ContentSpaceError('invalidOption', 'The cursor is invalid.', {
      hint: 'Use `nextCursor` of the previous response, with the same arguments.',
    })
  const part: D[] = []
  let size = 0
  for (const entry of list.slice(start, start + (limit ?? usualEntries))) {
    const described = describeOne(entry)
    size += sizeOfJson(described)
    if (limit === undefined && part.length > 0 && size > maxAnswer) break
    part.push(described)
  }
  const end = start + part.length
  return { part, total: list.length, ...(end < list.length && { nextCursor: String(end) }) }
}

const sizeOfJson = (value: unknown): number => Buffer.byteLength(JSON.stringify(value))

/** Repeatedly halves the longest part of a response until the response is short enough. */
function fitted<T extends Record<string, unknown>>(answer: T, parts: readonly (keyof T)[]): T {
  const fitting = { ...answer }
  while (sizeOfJson(fitting) > maxAnswer) {
    const [longest] = parts.toSorted((a, b) => sizeOfJson(fitting[b] ?? '') - sizeOfJson(fitting[a] ?? ''))
    if (longest === undefined || sizeOfJson(fitting[longest] ?? '') < limits.text) break
    Object.assign(fitting, { [longest]: half(fitting[longest]) })
  }
  return fitting
}

function half(value: unknown): unknown {
  if (typeof value === 'string') return shorten(value, Math.ceil(value.length / 2))
  if (Array.isArray(value)) return value.slice(0, Math.floor(value.length / 2))
  const entries = Object.entries(Object(value))
  return Object.fromEntries(entries.slice(0, Math.floor(entries.length / 2)))
}
