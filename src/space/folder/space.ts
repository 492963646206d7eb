import { createReadStream } from 'node:fs'
import { join, resolve } from 'node:path'
import { Readable } from 'node:stream'
import * as v from 'valibot'
import { attempt } from '../../async/attempt.js'
import { readRegularFileSync } from '../../disk/read-file.js'
import { ContentSpaceError } from '../../errors.js'
import { jsonOf } from '../../text/json.js'
import { readAssetBytes } from './bytes.js'
import { spaceJson } from './sidecar.js'
import type { FolderContent } from './model.js'
import { createFolderReader, type ReaderOptions } from './cached-read.js'
import * as records from './to-wire.js'
import { omitUndefined } from '../../text/omit-undefined.js'
import type { Call, Space } from '../space.js'
import { parseFields } from '../wire/custom-fields.js'
import { parseGallery, parseKit, parseKits, parseOutline, parseSection } from '../wire/records.js'

/**
 * Opens an embedded space: a folder of plain files, which doesn't need a server or a token.
 * @param path of the folder, which is read on the first call and again for each listing
 */
export function folderSpace(path: string, options: ReaderOptions = {}): Space {
  const reader = createFolderReader(path, options)
  const now = async (call?: Call) => {
    throwIfAborted(call)
    return reader.now()
  }
  const spaceId = options.kit === undefined ? readSpaceId(path) : undefined
  return {
    label: path,
    key: resolve(path),
    local: true,
    worksOffline: true,
    ...omitUndefined({ spaceId }),
    ...listingsOf((_isFirst, call) => now(call)),
    async download({ uuid, hash }, cut, receive, call) {
      throwIfAborted(call)
      const { content, asset } = await reader.asset(uuid, hash)
      const { bytes } = await readAssetBytes(content, asset, cut)
      return receive('path' in bytes ? createReadStream(bytes.path) : Readable.from([bytes]))
    },
    close: () => Promise.resolve(),
  }
}

/**
 * Returns the methods of a space that list content.
 * @param read returns the content. `isFirst` means that the call begins a listing, so the content must be up to date.
 */
export function listingsOf(
  read: (isFirst: boolean, call: Call | undefined) => Promise<FolderContent>,
): Pick<Space, 'kits' | 'kit' | 'outline' | 'section' | 'gallery' | 'fields'> {
  const first = (call?: Call) => read(true, call)
  const now = (call?: Call) => read(false, call)
  return {
    kits: async (call) => parseKits(records.kitsResult(await first(call), records.folderFields)),
    async kit(uuid, include, call) {
      const kit = records.findKit(await first(call), uuid)
      return { ...parseKit(records.kitResult(kit, include, records.folderFields)), revision: records.revisionOf(kit) }
    },
    async outline(kit, version, call) {
      const found = records.findVersion(records.findKit(await now(call), kit), version)
      return parseOutline(records.outlineResult(found, records.folderFields))
    },
    async section(uuid, version, call) {
      const section = records.findSection(await now(call), uuid, version)
      return parseSection(records.sectionResult(section, section.items, records.folderFields))
    },
    async gallery({ uuid }, version, call) {
      const { members = [], ...item } = records.findItem(await now(call), uuid, version)
      return parseGallery(records.itemResult(item, members, records.folderFields))
    },
    fields: async (call) => parseFields(records.fieldsResult(await now(call))),
  }
}

/** Reads the space id from `space.json`. An invalid file is reported when the folder is read. */
function readSpaceId(path: string): string | undefined {
  const text = attempt(() => readRegularFileSync(join(path, 'space.json')).toString())
  const { success, output } = v.safeParse(spaceJson, jsonOf(text ?? ''))
  return success ? output.space_id?.toString() : undefined
}

function throwIfAborted(call: Call | undefined): void {
  if (call?.signal?.aborted) throw new ContentSpaceError('aborted', 'Aborted.')
}
