import { resolve } from 'node:path'
import type { KitEntry, Project } from '../shared/kit-page/data.js'
import { abortable } from '../../async/abortable.js'
import type { Engine } from '../../engine/engine.js'
import { ContentSpaceError } from '../../errors.js'
import type { FolderPolicy } from '../../disk/folder-policy.js'
import { writeFolder, type FolderWriter } from '../../disk/write-folder.js'
import type { ProgressEvent } from '../../progress.js'
import { parseKit } from '../../request/request.js'
import type { KitVersion } from '../../space/space.js'
import { compareStrings } from '../../text/compare.js'
import { keysOf } from '../../text/keys.js'
import { interruptible } from '../shared/interrupted.js'
import { coverAsset } from '../shared/choose-preview.js'
import { kitData } from '../shared/kit-data.js'
import { withShownFiles } from '../shared/pictures.js'
import { describeParameters, nameKits, versionEntries } from '../shared/project.js'
import { pageFiles, readPageFile } from './routes.js'
import { writePictures, type MissingPicture } from './site-pictures.js'

export interface SiteOptions {
  /**
   * Kits, in the form that follows `content-space:kit/` in ids. `brand@draft` adds the draft to the version in use.
   * Empty: every kit.
   */
  kits: readonly string[]
  /** Absolute path of the folder. */
  out: string
  /** Stops the command and leaves the folder as it was. */
  signal: AbortSignal
  onProgress: (event: ProgressEvent) => void
}

const policy: FolderPolicy = {
  owns: 'listed',
  command: 'browse',
  manifest: 'site.json',
  label: 'site of the kit browser',
}

interface Selection {
  entry: Omit<KitEntry, 'versions'>
  versions: number[]
}

/**
 * Writes the kit browser as a static site, for people without the project. The site doesn't contain paths or usage of
 * the project, or the service's address or links to it. Replaces the whole folder, or leaves it unchanged.
 * @throws ContentSpaceError `kitNotFound`, `versionNotFound`; `invalidOption` for a folder with other files; `aborted`,
 *   and any error of the space
 */
export async function writeSite(engine: Engine, order: SiteOptions) {
  const { signal } = order
  const out = resolve(order.out)
  const { cacheDir } = engine.options
  return engine.listen(order, () =>
    interruptible(signal, async () => {
      const { result, changes } = await writeFolder({ out, option: '--out', policy, cacheDir, signal }, (folder) =>
        fill(folder, order, engine),
      )
      return { out, changed: changes.written.length > 0, ...result }
    }),
  )
}

async function fill(folder: FolderWriter, order: SiteOptions, engine: Engine) {
  const { catalog } = engine
  return withShownFiles(engine, async (_, pictures) => {
    const kits = await abortable(selectKits(order, engine), order.signal)
    const shown: { kit: string; name: string; version: number; assets: number }[] = []
    const allMissing: MissingPicture[] = []
    const written = new Map<string, number>()
    for (const { entry, versions } of kits) {
      for (const version of versions) {
        const named = await abortable(catalog.peek(entry.uuid, version), order.signal)
        const { addresses, missing } = await writePictures(named, { ...order, pictures, folder, written })
        const reference = version === entry.version ? entry.reference : `${entry.reference}@${version || 'draft'}`
        const stand = version === entry.version ? coverAsset(named) : undefined
        const cover = stand && addresses.preview(stand)
        if (cover !== undefined) entry.cover = cover
        const data = await kitData(named, reference, addresses)
        await folder.put(`data/kits/${entry.uuid}/${version}.json`, `${JSON.stringify(data)}\n`)
        allMissing.push(...missing)
        const { uuid: kit, name, assets } = named.kit
        shown.push({ kit, name, version, assets: Object.keys(assets).length })
      }
    }
    await folder.put('data/project.json', `${JSON.stringify(await projectOf(kits, engine))}\n`)
    // A static host doesn't send a policy with the page, so the page contains it.
    for (const name of keysOf(pageFiles)) await folder.put(name, await readPageFile(name))
    const sizes = [...written.values()]
    const size = sizes.reduce((sum, one) => sum + one, 0)
    // The files of pictures and fonts, and their total size.
    return { versions: shown, files: sizes.length, size, missing: allMissing }
  })
}

async function selectKits({ kits: ids }: SiteOptions, engine: Engine): Promise<Selection[]> {
  const { catalog, options, lock } = engine
  // Fail if the space fails, because a site isn't written from the lockfile alone.
  await catalog.kits()
  const { kits: entries } = await nameKits({ ...engine, reasonOf: String })
  const selected = new Map<string, Selection>()
  for (const id of ids.length === 0 ? entries.map(({ uuid }) => uuid) : ids) {
    const { kit, version } = parseKit(id, options.kits)
    const uuid = await catalog.find(kit)
    const entry = entries.find((one) => one.uuid === uuid)
    if (entry === undefined)
      throw new ContentSpaceError('kitNotFound', `The space does not list kit ${id}.`, { kit: uuid })
    const site = selected.get(uuid) ?? { entry: forEveryone(entry), versions: [entry.version] }
    selected.set(uuid, site)
    const number = lock.version(uuid, version) ?? (version === 'use' ? entry.version : version)
    if (!site.versions.includes(number)) site.versions.push(number)
  }
  return [...selected.values()]
}

/**
 * Returns an entry without data of the project, except for the project's name for the kit. Uses an asset's preview as
 * the cover.
 */
function forEveryone(entry: Selection['entry']): Selection['entry'] {
  const { lockedVersion: _, cover: __, aliases: ___, ...rest } = entry
  return { ...rest, isUsed: false }
}

async function projectOf(kits: readonly Selection[], { space }: Engine): Promise<Project> {
  const entries = kits.map(async ({ entry, versions }): Promise<KitEntry> => {
    const list: KitVersion[] = (await space.kit(entry.uuid, 'versions').catch(() => undefined))?.versions ?? []
    const shown = list.filter(({ version }) => versions.includes(version))
    return { ...entry, versions: versionEntries(shown, versions) }
  })
  return {
    name: [...new Set(kits.map(({ entry }) => entry.name))].toSorted(compareStrings).join(', '),
    mode: 'static',
    kits: await Promise.all(entries),
    canOpen: false,
    parameters: describeParameters(),
  }
}
