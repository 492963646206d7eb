import type { KnownAsset } from '../../asset.js'
import { attempt } from '../../async/attempt.js'
import { createModel, placeOf, referenceIn } from '../../browser/model.js'
import { choicesOf } from '../../browser/query.js'
import { snippetsOf } from '../../browser/snippets.js'
import type { Engine } from '../../engine/engine.js'
import { ContentSpaceError, ignoreOwnErrors } from '../../errors.js'
import { planAsset } from '../../files/plan.js'
import { readColors } from '../../kit/css-colors.js'
import { shownType } from '../../kit/font-asset.js'
import { findAsset } from '../../kit/named-kit.js'
import { assetsIn, filterKit } from '../../kit/select.js'
import { canonicalName, parseKit } from '../../request/request.js'
import type { AssetRecord } from '../../space/space.js'
import { assetsOf } from '../../space/item-kinds.js'
import { objectOf } from '../../text/json.js'
import { oneLine, shorten } from '../../text/display.js'
import { omitUndefined } from '../../text/omit-undefined.js'
import { audit } from '../audit/audit.js'
import { choosePreview } from '../browse/choose-preview.js'
import { kitData } from '../browse/kit-data.js'
import { withShownFiles, type Picture } from '../browse/pictures.js'
import { describeParameters, frameworkOf } from '../browse/project.js'
import { findUsage } from '../browse/usage.js'
import { loadKits, type LoadedKit } from '../kits.js'
import { noAddresses, searchKits, type FoundAsset } from '../search.js'

/*
 * What agents can ask. Texts of the space are cut, have one line and no hidden characters. They are only in values of
 * the results.
 */

interface Paged {
  limit: number
  cursor?: string | undefined
}

type Texts<Name extends string> = Partial<Record<Name, string | undefined>>

/** Characters of texts of the space, and numbers of them. */
const limits = { name: 80, text: 100, longText: 600, keywords: 6, fields: 8, sections: 40 }

/** Bytes of a picture. */
const maxPicture = 64 * 1024

/** Pixels of a picture, which is as wide. */
const pictureWidth = 160

const shown = (text: string, limit = limits.text): string => oneLine(shorten(text, limit))

export async function listKits(engine: Engine) {
  const kits = await loadKits(engine)
  return {
    kits: kits.map(({ id, kit: { name, version, description, counts, sections } }) => ({
      id,
      name: shown(name, limits.name),
      version,
      assets: counts.assets,
      sections: sections.slice(0, limits.sections).map(({ slug }) => shown(slug, limits.name)),
      ...omitUndefined({ description: description && shown(description, limits.longText) }),
    })),
  }
}

/**
 * Finds assets, the best ones first.
 * @throws ContentSpaceError what loading a kit throws, and what `filterKit` throws if no kit has the section or type
 */
export async function searchAssets(
  engine: Engine,
  { query = '', type, color, section, kit, ...paged }: Paged & Texts<'query' | 'type' | 'color' | 'section' | 'kit'>,
) {
  const loaded = await loadKits(engine, kit === undefined ? kit : [kit])
  const kits = filterKits(loaded, omitUndefined({ section, type }))
  const text = color === undefined ? query : `${query} color:${color.replaceAll(/\s/g, '')}`
  const { assets, suggestion } = await searchKits(engine, kits, text)
  const { part, ...rest } = page(assets, paged)
  const colors = await readColors(part.map(({ asset }) => asset))
  return {
    assets: part.map((found) => ({
      ...describe(found),
      ...omitUndefined({ color: colors.get(found.asset.uuid)?.css }),
    })),
    ...rest,
    ...omitUndefined({ suggestion }),
  }
}

/**
 * Describes an asset, with the statements that import it.
 * @param asset a slug, uuid or export name
 * @throws ContentSpaceError what loading a kit throws; `assetNotFound`, `ambiguousName`
 */
export async function getAsset(engine: Engine, { kit: id, asset: name }: { kit: string; asset: string }) {
  const named = await engine.catalog.loadNamed(parseKit(id, engine.options.kits))
  const exported = [...named.assets].find(([, names]) => names.name === name)?.[0]
  const record = named.kit.assets[exported ?? ''] ?? findAsset(named, canonicalName(name))
  const model = createModel(await kitData(named, id, noAddresses))
  const data = model.kit.assets[record.uuid]
  if (data === undefined) throw new ContentSpaceError('assetNotFound', `No section of ${id} shows ${name}.`)
  const { color, colors, cuts, fields = {}, font, keywords, kind, notes, size, width, height } = data
  const place = placeOf(model, record.uuid)
  const shownIn = model.places.get(record.uuid) ?? []
  const framework = frameworkOf(engine.options)
  // Without a framework, `as=component` is an error.
  const { component: _, ...others } = data
  const statements = snippetsOf(model, framework ? data : others, framework)
  const queries = kind === 'picture' || cuts.length > 0 ? choicesOf(describeParameters(), data) : []
  return {
    record,
    answer: {
      kit: id,
      ...namesOf(data, referenceIn(model, data)),
      type: shownType(record),
      section: shown(place?.section ?? '', limits.name),
      captions: shownIn.flatMap(({ caption }) => (caption ? [shown(caption)] : [])).slice(0, limits.keywords),
      notes: shown(notes, limits.longText),
      keywords: keywords.slice(0, 2 * limits.keywords).map((keyword) => shown(keyword)),
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
  }
}

/**
 * Makes a small picture of an asset: from its file if that is in the cache, else from a thumbnail of the service.
 * @returns undefined for an asset without a picture, and if there is no connection
 */
export async function pictureOf(engine: Engine, asset: AssetRecord, signal: AbortSignal): Promise<Picture | undefined> {
  const source = choosePreview(asset, 'small')
  if (source === undefined) return undefined
  return withShownFiles(engine, async (files, pictures) => {
    const file = planAsset(asset, { as: 'url', full: false, w: [pictureWidth], format: ['webp'] }, 'sanitize').src
    const isCached = file !== undefined && (await files.has(file))
    if (!isCached && !('thumbnail' in source)) return undefined
    const picture = isCached ? await pictures.file(file, signal) : await pictures.preview(asset, signal)
    return picture.bytes.length <= maxPicture ? picture : undefined
  }).catch(ignoreOwnErrors)
}

/** Lists the assets that the source of the project imports, with the places. */
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
    return [{ kit: found.id, ...namesOf(found.asset), places: places.map(({ file, line }) => `${file}:${line}`) }]
  })
  const { part, ...rest } = page(used, paged)
  return { assets: part, ...rest, invalid: refused.slice(0, limits.fields) }
}

/**
 * Lists content of kits in the project that did not come through an import. Drawings that are not in the cache are not
 * compared, so that no file is downloaded.
 */
export async function listFindings(
  engine: Engine,
  { paths, ...paged }: Paged & { paths?: string[] | undefined },
  signal: AbortSignal,
) {
  const { findings } = await audit(engine, { paths, download: false, signal })
  const { part, ...rest } = page(findings, paged)
  return {
    findings: part.map(({ file, line, finding, kit, asset, import: statement }) => ({
      file,
      line,
      finding,
      kit,
      asset: asset.slug.length > limits.name ? asset.uuid : asset.slug,
      name: shown(asset.name, limits.name),
      ...omitUndefined({ import: statement }),
    })),
    ...rest,
  }
}

/** Filters each kit. Kits without such a section or type are left out, unless none has it. */
function filterKits(kits: readonly LoadedKit[], filter: Parameters<typeof filterKit>[1]): LoadedKit[] {
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
    ...namesOf(asset),
    type: shownType(asset),
    section: shown(section?.slug ?? '', limits.name),
    ...omitUndefined({ width, height }),
    ...(keywords.length > 0 && { keywords: keywords.slice(0, limits.keywords).map((keyword) => shown(keyword, 40)) }),
    ...(notes && { notes: shown(notes) }),
    ...(Object.keys(fields).length > 0 && { fields: fieldsOf(fields) }),
  }
}

/** An export name or slug that would be cut is left out: only the uuid imports the asset then. */
function namesOf(
  { uuid, name, export: exported, slug }: Pick<KnownAsset, 'uuid' | 'name' | 'export' | 'slug'>,
  reference = slug,
) {
  return {
    asset: reference.length > limits.name ? uuid : reference,
    ...(exported.length <= limits.name && { export: exported }),
    name: shown(name, limits.name),
  }
}

const textOf = (value: unknown) => (Object(value) === value ? JSON.stringify(value) : String(value))

function fieldsOf(fields: Readonly<Record<string, unknown>>): Record<string, string> {
  const entries = Object.entries(fields).slice(0, limits.fields)
  return Object.fromEntries(
    entries.map(([key, value]) => [shown(key, limits.name), shown([value].flat().map(textOf).join(', '))]),
  )
}

/** @throws ContentSpaceError `invalidOption` for a cursor that no answer had */
function page<T>(list: readonly T[], { limit, cursor = '0' }: Paged) {
  const start = Number(cursor)
  if (!/^\d+$/.test(cursor) || start > list.length)
    throw new ContentSpaceError('invalidOption', 'The cursor is invalid.', {
      hint: 'Use `nextCursor` of the answer before, with the same arguments.',
    })
  const end = start + limit
  return {
    part: list.slice(start, end),
    total: list.length,
    ...(end < list.length && { nextCursor: String(end) }),
  }
}
