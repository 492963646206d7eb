import { relative, sep } from 'node:path'
import { ContentSpaceError } from '../../errors.js'
import { suggestion } from '../../text/nearest.js'
import { canonicalType } from '../asset-type.js'
import { toAsset, typeOf, type ReadFile } from './asset.js'
import type { StoredAsset } from './model.js'
import { assetJson, readJson, type AssetJson } from './sidecar.js'
import { splitExtension } from './naming.js'
import { listFolder, type Entry } from './list.js'

/** What reading needs to know of the space. */
export interface SpaceContext {
  /** Real path of the space's folder. */
  root: string
  spaceId: number
  readFile: ReadFile
}

export interface KitContext extends SpaceContext {
  kitUuid: string
  /** Absolute: the folder of the version that is read, which paths of assets start from. */
  folder: string
}

/** A folder and the assets in it, before sections and headings are told apart. */
export interface Tree {
  /** Path in the version's folder, with slashes; empty for that folder itself. */
  path: string
  name: string
  /** Absolute. */
  folder: string
  assets: StoredAsset[]
  folders: Tree[]
}

/** Files that describe folders, and are no assets. */
const descriptions = new Set(['space.json', 'kit.json', 'section.json'])

/** Reads a folder and all below it. @param skip absolute paths that are left out */
export async function readTree(
  context: KitContext,
  folder: string,
  name: string,
  skip: ReadonlySet<string>,
): Promise<Tree> {
  const entries = (await listFolder(context.root, folder)).filter((entry) => !skip.has(entry.path))
  const [assets, folders] = await Promise.all([
    readAssets(
      context,
      entries.filter((entry) => !entry.isFolder && !descriptions.has(entry.name)),
    ),
    Promise.all(
      entries.filter((entry) => entry.isFolder).map((entry) => readTree(context, entry.path, entry.name, skip)),
    ),
  ])
  return { path: pathIn(context.folder, folder), name, folder, assets, folders }
}

/** Every asset of a tree, in order. */
export function assetsOf(tree: Tree): StoredAsset[] {
  return [...tree.assets, ...tree.folders.flatMap(assetsOf)]
}

/** The path of a file as sections name it. */
export function pathIn(folder: string, path: string): string {
  return relative(folder, path).split(sep).join('/').normalize('NFC')
}

/** Sorts files into originals, cuts (`name@cut.eps`) and JSON beside them, and reads each original. */
async function readAssets(context: KitContext, entries: Entry[]): Promise<StoredAsset[]> {
  const cuts = entries.filter((entry) => /.@cut\.[^.]+$/.test(entry.name))
  const json = entries.filter((entry) => entry.name.endsWith('.json') && !cuts.includes(entry))
  const originals = entries.filter((entry) => !cuts.includes(entry) && !json.includes(entry))
  const named = new Map(json.map((entry) => [entry.name, entry]))
  const sidecar = ({ name }: Entry) => named.get(`${name}.json`) ?? named.get(`${splitExtension(name).stem}.json`)
  const orphan = cuts.find((cut) => !originals.some((original) => belongs(cut, original)))
  if (orphan) throw orphanError(context, orphan, originals, 'is a cut of no file')

  const files = originals.map(async (entry) => {
    const described = await readSidecar(context, sidecar(entry))
    const type = described?.type === undefined ? typeOf(entry.name) : canonicalType(described.type)
    const beside = cuts.filter((cut) => belongs(cut, entry)).map((cut) => [typeOf(cut.name), cut.path] as const)
    const file = await context.readFile(entry, type)
    return assetAt(context, entry, described, { file, beside: new Map(beside) })
  })
  const used = new Set(originals.map(sidecar))
  const data = json
    .filter((entry) => !used.has(entry))
    .map(async (entry) => {
      const described = await readSidecar(context, entry)
      if (described?.type === undefined) {
        throw orphanError(context, entry, originals, 'describes no file, and names no `type` of data')
      }
      return assetAt(context, entry, described, { beside: new Map() })
    })
  const assets = await Promise.all([...files, ...data])
  const position = new Map(entries.map((entry, index) => [pathIn(context.folder, entry.path), index]))
  return assets.toSorted((a, b) => (position.get(a.path) ?? 0) - (position.get(b.path) ?? 0))
}

/** `logo@cut.eps` is a cut of every `logo.*`, `logo.svg@cut.eps` of that file alone. */
function belongs(cut: Entry, original: Entry): boolean {
  const owner = cut.name.replace(/@cut\.[^.]+$/, '')
  return owner === original.name || owner === splitExtension(original.name).stem
}

function assetAt(
  { folder, kitUuid, spaceId }: KitContext,
  entry: Entry,
  json: AssetJson | undefined,
  bytes: Pick<Parameters<typeof toAsset>[0], 'file' | 'beside'>,
): StoredAsset {
  return toAsset({
    path: pathIn(folder, entry.path),
    stem: splitExtension(entry.name).stem,
    kitUuid,
    spaceId,
    json,
    ...bytes,
  })
}

async function readSidecar({ root }: KitContext, entry: Entry | undefined): Promise<AssetJson | undefined> {
  return entry && readJson(entry.path, pathIn(root, entry.path), assetJson)
}

function orphanError({ root }: KitContext, entry: Entry, originals: Entry[], what: string): ContentSpaceError {
  const hint = suggestion(
    entry.name,
    originals.map(({ name }) => name),
    'files beside it',
  )
  return new ContentSpaceError('invalidSpace', `${pathIn(root, entry.path)} ${what}.`, { hint })
}
