import { existsSync } from 'node:fs'
import { readdir, realpath } from 'node:fs/promises'
import { basename, dirname, join, sep } from 'node:path'
import * as v from 'valibot'
import { ContentSpaceError } from '../../errors.js'
import { groupBy } from '../../text/group-by.js'
import { shortList } from '../../text/quantities.js'
import { similar, suggestion } from '../../text/nearest.js'
import { createFolderFields } from './custom-fields.js'
import { typeOfFileName, type ReadFile } from './asset.js'
import { assetsIn, type FolderContent, type StoredAsset, type StoredKit, type StoredVersion } from './model.js'
import { constantDate, kitJson, readJson, spaceJson } from './sidecar.js'
import { derivedUuid, kitNamespace } from './naming.js'
import { readSection } from './section.js'
import { assetsOf, pathIn, readTree, type KitContext, type SpaceContext } from './tree.js'
import { checkInside, type FolderEntry, type ListFolder } from './list.js'

export interface ReadOptions {
  /** Takes precedence over the space id in `space.json`. */
  spaceId?: number
  /**
   * `perVersion`: the assets of a published version have their own uuids, and refer to the uuid of the draft's asset in
   * `source_id`. Default: `shared`, an asset has the same uuid in all versions.
   */
  uuids?: 'shared' | 'perVersion'
  /** The folder is a single kit, with this uuid unless its `kit.json` specifies another one. */
  kit?: string
}

const defaultSpaceId = 1

type VersionJson = v.InferOutput<typeof kitJson>['versions'][number]

const defaultDraft: VersionJson = { version: 0, counts: {}, date_added: constantDate, date_updated: constantDate }

/**
 * Resolves the folder of an embedded space, or of a kit.
 * @throws ContentSpaceError `invalidSpace` if it isn't a folder
 */
export function findRoot(folder: string, isKit = false): Promise<string> {
  // The trailing separator makes this fail for a file.
  return realpath(folder + sep).catch(async (cause: unknown) => {
    const exists = existsSync(folder)
    const problem = exists ? `${folder} is not a folder.` : `The folder ${folder} does not exist.`
    const rule = isKit
      ? 'The source of a kit is a folder with its files, or { space, spaceId, token } of another service.'
      : 'A space is a folder that contains one folder per kit, or an http(s) address.'
    const hint = exists ? rule : `${await nearestSpace(folder)} ${rule}`.trim()
    throw new ContentSpaceError('invalidSpace', problem, { hint, cause })
  })
}

/**
 * Suggests what the path of a missing folder may have meant: a host without a scheme, or a folder with a similar name.
 */
async function nearestSpace(folder: string): Promise<string> {
  const parent = dirname(folder)
  if (!existsSync(parent) && parent !== dirname(parent)) {
    const meant = await nearestSpace(parent)
    return meant.startsWith('Did you mean http') ? meant.replace('?', `/${basename(folder)}?`) : meant
  }
  const name = basename(folder)
  const scheme = /^(?:localhost|127\.)/.test(name) ? 'http' : 'https'
  if (/^[\w-]+(?:\.[\w-]+)*(?:\.[a-z]{2,}|:\d+)$/i.test(name)) return `Did you mean ${scheme}://${name}?`
  const entries = await readdir(parent, { withFileTypes: true }).catch(() => [])
  const near = similar(
    name,
    entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name),
  )
  return near.length === 0 ? '' : `Did you mean ${near.map((other) => join(parent, other)).join(', ')}?`
}

/**
 * Reads an embedded space: kits, versions, sections, items, and size, hash and dimensions of each file.
 * @param root real path of its folder
 * @throws ContentSpaceError `invalidSpace`, which names the invalid file
 */
export async function readContent(
  root: string,
  list: ListFolder,
  readFile: ReadFile,
  { spaceId, uuids = 'shared', kit }: ReadOptions = {},
): Promise<FolderContent> {
  if (kit !== undefined) return readOneKit(root, list, readFile, kit)
  const json = readJson(join(root, 'space.json'), 'space.json', spaceJson)
  const id = spaceId ?? json?.space_id ?? defaultSpaceId
  const fields = createFolderFields(json?.fields ?? [], id)
  const context = { root, list, readFile, spaceId: id, fields, uuids }
  const entries = await list(root)
  if (entries.some(({ name }) => name === 'kit.json'))
    throw new ContentSpaceError('invalidSpace', `${root} contains kit.json, so it is the folder of a kit.`, {
      hint: `Set option \`space\` to the folder that contains it: ${dirname(root)}`,
    })
  const folders = entries.filter((entry) => entry.isFolder)
  const files = entries.flatMap(({ name, isFolder }) => (isFolder || !content.test(name) ? [] : name))
  if (folders.length === 0 && files.length > 0) throw withoutKit(root, files)
  const kits = await Promise.all(folders.map((entry) => readKitFolder(context, entry)))
  checkUnique('kits', kits, (_, index) => folders[index]?.name ?? '')
  return { root, spaceId: id, kits, fields: fields.records(), assets: assetsByUuid(kits) }
}

/** Reads the folder of a single kit. The folder may also contain project files that aren't content, such as scripts. */
async function readOneKit(root: string, listAll: ListFolder, readFile: ReadFile, uuid: string): Promise<FolderContent> {
  const list: ListFolder = async (folder) =>
    (await listAll(folder)).filter(({ name, isFolder }) => isFolder || content.test(name) || /\.json$/i.test(name))
  const fields = createFolderFields([], defaultSpaceId)
  const context = { root, list, readFile, spaceId: defaultSpaceId, fields, uuids: 'shared' } as const
  const kits = [await readKitFolder(context, { path: root, name: basename(root) }, uuid)]
  return { root, spaceId: defaultSpaceId, kits, fields: fields.records(), assets: assetsByUuid(kits) }
}

/** Files that are assets rather than descriptions or project files. */
const content = /\.(?!(?:json|md|txt|ya?ml|toml|lock|html?|css|[cm]?[jt]sx?)$)[^.]+$/i

/** Creates the error for a folder that looks like a kit itself, because nothing in it could be imported. */
function withoutKit(root: string, files: readonly string[]): ContentSpaceError {
  const message = `${root} has files, but no kit: ${shortList(files)}. A kit is a folder inside the space.`
  return new ContentSpaceError('invalidSpace', message, {
    hint: `Move the files to ${join(root, 'brand')}, and import them from content-space:kit/brand.`,
  })
}

async function readKitFolder(
  space: SpaceContext,
  { path: folder, name: folderName }: Pick<FolderEntry, 'path' | 'name'>,
  derived = derivedUuid(kitNamespace, folderName),
): Promise<StoredKit> {
  const label = `${folderName}/kit.json`
  const json = readJson(join(folder, 'kit.json'), label, kitJson) ?? v.parse(kitJson, {})
  const { uuid: ownUuid, name: ownName, use_version: useVersion, cover, versions: listed, ...fields } = json
  const uuid = ownUuid ?? derived
  const name = ownName ?? folderName
  const published = listed.filter(({ version }) => version !== 0)
  const skip = await skippedPaths(space, folder, published, cover)
  const kit = { ...space, kitUuid: uuid }
  const versions = await Promise.all([
    readVersion(
      { ...kit, folder, version: 0 },
      name,
      listed.find(({ version }) => version === 0) ?? defaultDraft,
      skip,
    ),
    ...published
      .toSorted((a, b) => a.version - b.version)
      .map((entry) => {
        const context = { ...kit, folder: versionFolder(folder, entry), version: entry.version }
        return readVersion(context, name, entry, new Set())
      }),
  ])
  checkVersions(label, useVersion, versions)
  const record = {
    status: 'active',
    ...fields,
    kit_uuid: uuid,
    space_id: space.spaceId,
    name,
    use_version: useVersion,
  }
  return { uuid, name, useVersion, record, versions, ...(await readCover(space, folder, cover)) }
}

function versionFolder(kit: string, { version, folder }: VersionJson): string {
  return join(kit, folder ?? `versions/${version}`)
}

/**
 * Returns the paths in a kit's folder that aren't part of its draft: published versions, and a cover next to
 * `kit.json`.
 */
async function skippedPaths(space: SpaceContext, kit: string, published: VersionJson[], cover = '') {
  const folders = published.map((entry) => versionFolder(kit, entry))
  await Promise.all(folders.map((folder) => checkInside(space.root, folder)))
  const topFolders = folders.map((folder) => join(kit, pathIn(kit, folder).split('/')[0] ?? ''))
  return new Set(cover.includes('/') ? topFolders : [...topFolders, join(kit, cover)])
}

async function readVersion(context: KitContext, kitName: string, json: VersionJson, skip: ReadonlySet<string>) {
  const { folder: _folder, version, counts, ...fields } = json
  const tree = await readTree(context, context.folder, '', skip)
  const all = assetsOf(tree)
  checkAssets(context, all)
  const inVersion = { ...context, kitName, assets: new Map(all.map((asset) => [asset.path, asset])) }
  // Files next to the section folders form their own section.
  const unsorted = tree.assets.length > 0 ? [{ ...tree, folders: [] }] : []
  const folders = [...unsorted, ...tree.folders]
  const sections = folders.map((section, order) => readSection(inVersion, section, order))
  checkUnique('sections', sections, ({ name }) => name)
  const record = {
    status: 'active',
    version_identifier: `${version}.0`,
    notes: '',
    ...fields,
    kit_uuid: context.kitUuid,
    version,
    counts: {
      assets: new Set(sections.flatMap((section) => assetsIn(section.items).map(({ uuid }) => uuid))).size,
      items: sections.reduce((sum, section) => sum + section.items.length, 0),
      sections: sections.length,
      ...counts,
    },
  }
  return { version, record, sections }
}

async function readCover(space: SpaceContext, kit: string, cover = ''): Promise<Pick<StoredKit, 'cover'>> {
  if (cover === '') return {}
  if (/^https?:/.test(cover)) return { cover }
  const path = await checkInside(space.root, join(kit, cover))
  const [file] = (await space.list(join(path, '..'))).filter((entry) => entry.path === path)
  return file ? { cover: await space.readFile(file, typeOfFileName(file.name)) } : {}
}

function checkVersions(label: string, useVersion: number, versions: StoredVersion[]): void {
  const numbers = versions.map(({ version }) => String(version))
  if (new Set(numbers).size < numbers.length) {
    throw new ContentSpaceError('invalidSpace', `${label} lists a version twice.`)
  }
  if (numbers.includes(String(useVersion))) return
  const message = `${label}: \`use_version\` is ${useVersion}, but the kit has no such version.`
  throw new ContentSpaceError('invalidSpace', message, { hint: suggestion(String(useVersion), numbers, 'versions') })
}

/** Checks that files with the same uuid are identical. */
function checkAssets({ root, folder }: KitContext, assets: StoredAsset[]): void {
  const first = new Map<string, StoredAsset>()
  for (const asset of assets) {
    const other = first.get(asset.uuid) ?? asset
    first.set(asset.uuid, other)
    if (other.file?.hash === asset.file?.hash) continue
    const [a, b] = [other, asset].map(({ path }) => pathIn(root, join(folder, path)))
    throw new ContentSpaceError('invalidSpace', `${a} and ${b} differ, but have the same uuid ${asset.uuid}.`)
  }
}

function checkUnique<T extends { uuid: string }>(
  what: string,
  entries: readonly T[],
  nameOf: (entry: T, index: number) => string,
): void {
  const first = new Map<string, string>()
  for (const [index, entry] of entries.entries()) {
    const [{ uuid }, name] = [entry, nameOf(entry, index)]
    const other = first.get(uuid)
    if (other !== undefined)
      throw new ContentSpaceError('invalidSpace', `The ${what} ${other} and ${name} have the same uuid ${uuid}.`)
    first.set(uuid, name)
  }
}

function assetsByUuid(kits: StoredKit[]): Map<string, StoredAsset[]> {
  const versions = kits.flatMap(({ versions: [draft, ...older] }) => (draft ? [draft, ...older.toReversed()] : []))
  const assets = versions.flatMap(({ sections }) => sections.flatMap((section) => assetsIn(section.items)))
  return groupBy(assets, ({ uuid }) => uuid)
}
