import { relative, sep } from 'node:path'
import { ContentSpaceError } from '../../errors.js'
import { suggestion } from '../../text/nearest.js'
import { canonicalType, dataTypes, isType } from '../asset-type.js'
import { toAsset, typeOfFileName, type AssetSource, type ReadFile } from './asset.js'
import type { FolderFields } from './custom-fields.js'
import type { StoredAsset } from './model.js'
import { assetJson, readJson, type AssetJson } from './sidecar.js'
import { readableName, splitExtension } from './naming.js'
import type { FolderEntry, ListFolder } from './list.js'

export interface SpaceContext {
  root: string
  spaceId: number
  list: ListFolder
  readFile: ReadFile
  fields: FolderFields
  uuids: 'shared' | 'perVersion'
}

export interface KitContext extends SpaceContext {
  kitUuid: string
  version: number
  /** Absolute path of the version's folder. Paths of assets are relative to it. */
  folder: string
}

export interface Tree {
  /** Path within the version's folder, with forward slashes. Empty for that folder itself. */
  path: string
  name: string
  folder: string
  assets: StoredAsset[]
  folders: Tree[]
}

/** Files that describe folders and aren't assets. */
const descriptions = new Set(['space.json', 'kit.json', 'section.json'])

/** @param skip absolute paths to ignore */
export async function readTree(context: KitContext, folder: string, name: string, skip: ReadonlySet<string>) {
  const entries = (await context.list(folder)).filter((entry) => !skip.has(entry.path))
  const files = entries.filter((entry) => !entry.isFolder && !descriptions.has(entry.name))
  const below = entries.filter((entry) => entry.isFolder)
  const [assets, folders] = await Promise.all([
    readAssets(context, files),
    Promise.all(below.map((entry): Promise<Tree> => readTree(context, entry.path, entry.name, skip))),
  ])
  return { path: pathIn(context.folder, folder), name, folder, assets, folders }
}

export function assetsOf(tree: Tree): StoredAsset[] {
  return [...tree.assets, ...tree.folders.flatMap(assetsOf)]
}

/** Returns the path of a file relative to a folder, in the form that `section.json` uses. */
export function pathIn(folder: string, path: string): string {
  return relative(folder, path).split(sep).join('/').normalize('NFC')
}

/** `@cut.eps`, or, for a cut in another size, `@cut-1280x960.png` or `@cut-300dpi.png`. */
const cutEnding = /(?<=.)@cut(?:-(\d+x\d+|\d+dpi))?\.[^.]+$/

function cutOf(name: string): string {
  const size = cutEnding.exec(name)?.[1]
  return size === undefined ? typeOfFileName(name) : `${typeOfFileName(name)}@${size}`
}

/** Sorts files into originals, cuts (`name@cut.eps`) and JSON descriptions, and builds the assets. */
async function readAssets(context: KitContext, entries: FolderEntry[]): Promise<StoredAsset[]> {
  const cuts = entries.filter((entry) => cutEnding.test(entry.name))
  const json = entries.filter((entry) => entry.name.endsWith('.json') && !cuts.includes(entry))
  const originals = entries.filter((entry) => !cuts.includes(entry) && !json.includes(entry))
  const named = new Map(json.map((entry) => [entry.name, entry]))
  const sidecar = ({ name }: FolderEntry) => named.get(`${name}.json`) ?? named.get(`${splitExtension(name).stem}.json`)
  const orphan = cuts.find((cut) => !originals.some((original) => belongs(cut, original)))
  if (orphan) throw orphanError(context, orphan, originals, 'is a cut, but its original is missing')

  const assetOf = (entry: FolderEntry, source: Pick<AssetSource, 'json' | 'file' | 'beside'>) => {
    const { folder, kitUuid, spaceId, uuids, version } = context
    const ownVersion = uuids === 'shared' ? 0 : version
    return toAsset({ path: pathIn(folder, entry.path), name: entry.name, kitUuid, spaceId, ownVersion, ...source })
  }
  async function fileAsset(entry: FolderEntry): Promise<StoredAsset> {
    const described = readSidecar(context, sidecar(entry))
    const type = described?.type === undefined ? typeOfFileName(entry.name) : canonicalType(described.type)
    const beside = cuts.filter((cut) => belongs(cut, entry)).map((cut) => [cutOf(cut.name), cut.path] as const)
    return assetOf(entry, { json: described, file: await context.readFile(entry, type), beside: new Map(beside) })
  }
  async function dataAsset(entry: FolderEntry): Promise<StoredAsset> {
    const written = readSidecar(context, entry)
    const { stem } = splitExtension(entry.name)
    const described = written && (await completeData(written, stem, pathIn(context.root, entry.path)))
    if (described) return assetOf(entry, { json: described, beside: new Map() })
    const what = 'describes neither a file nor data: it has no `type` or `color`, and no file has its name'
    throw orphanError(context, entry, originals, what)
  }
  const used = new Set([...cuts, ...originals.map(sidecar)])
  const shown = entries.filter((entry) => !used.has(entry))
  return Promise.all(shown.map((entry) => (originals.includes(entry) ? fileAsset(entry) : dataAsset(entry))))
}

/**
 * Checks whether a cut belongs to an original: `logo@cut.eps` belongs to every `logo.*`, `logo.svg@cut.eps` only to
 * that file.
 */
function belongs(cut: FolderEntry, original: FolderEntry): boolean {
  const owner = cut.name.replace(cutEnding, '')
  return owner === original.name || owner === splitExtension(original.name).stem
}

/**
 * Reads the JSON that describes a file. It lists the values of custom fields by name if a person has written it, and by
 * id if it is a record of the service.
 */
function readSidecar({ root, fields }: KitContext, entry: FolderEntry | undefined): AssetJson | undefined {
  const json = entry && readJson(entry.path, pathIn(root, entry.path), assetJson)
  return json?.fields && !('versioned_fields' in json) ? { ...json, fields: fields.byId(json.fields) } : json
}

function orphanError({ root }: KitContext, entry: FolderEntry, originals: FolderEntry[], what: string) {
  const names = originals.map(({ name }) => name)
  const hint = suggestion(entry.name, names, 'files in the same folder')
  return new ContentSpaceError('invalidSpace', `${pathIn(root, entry.path)} ${what}.`, { hint })
}

/**
 * Completes the JSON of an asset without a file. A color, either `{ "color": "#E5603F" }` or a record with `meta.hex`,
 * gets the type and the entry of `colors` that the service sends. JSON with `colors` is a record of the service and
 * doesn't change.
 * @param stem file name without extension
 * @returns undefined if the JSON doesn't describe an asset
 * @throws ContentSpaceError `invalidSpace` for an unreadable color
 */
async function completeData(json: AssetJson, stem: string, label: string): Promise<AssetJson | undefined> {
  const { color: written, ...fields } = json
  const { type, name = readableName(stem), colors, meta } = fields
  if (type !== undefined && !isType(type, 'color')) return json
  if (written === undefined && type === undefined) return undefined
  if (written === undefined && colors !== undefined) return json
  const { readColor, readColorValue, writeColorEntry } = await import('../color.js')
  const color = written === undefined ? readColor({ colors: [], meta }) : readColorValue(written)
  if (color) return { ...fields, type: dataTypes.color, colors: [writeColorEntry(name, color)] }
  if (written === undefined) return json
  const found = `${label}: \`color\` isn't a valid color: ${JSON.stringify(written)}.`
  throw new ContentSpaceError('invalidSpace', found, { hint: 'Write a CSS color, such as "#e5603f".' })
}
