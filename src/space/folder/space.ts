import { join, resolve } from 'node:path'
import { Readable } from 'node:stream'
import * as v from 'valibot'
import { attempt } from '../../async/attempt.js'
import { readRegularFileSync } from '../../disk/read-file.js'
import { ContentSpaceError } from '../../errors.js'
import { jsonOf } from '../../text/json.js'
import { readAssetBytes } from './bytes.js'
import { spaceJson } from './sidecar.js'
import { createFolderReader } from './cached-read.js'
import {
  fieldsResult,
  findItem,
  findKit,
  findSection,
  findVersion,
  itemResult,
  kitResult,
  kitsResult,
  noUrlFields,
  outlineResult,
  revisionOf,
  sectionResult,
} from './to-wire.js'
import { omitUndefined } from '../../text/omit-undefined.js'
import type { Call, Space } from '../space.js'
import { parseFields } from '../wire/custom-fields.js'
import { parseGallery, parseKit, parseKits, parseOutline, parseSection } from '../wire/records.js'

/**
 * Opens an embedded space: a folder of plain files, without a server or a token.
 * @param path of the folder. It is read on the first call, and again for each listing.
 */
export function folderSpace(path: string): Space {
  const reader = createFolderReader(path)
  const now = async (call?: Call) => {
    throwIfAborted(call)
    return reader.now()
  }
  const spaceId = readSpaceId(path)
  return {
    label: path,
    key: resolve(path),
    local: true,
    ...omitUndefined({ spaceId }),
    kits: async (call) => parseKits(kitsResult(await now(call), noUrlFields)),
    async kit(uuid, include, call) {
      const kit = findKit(await now(call), uuid)
      return { ...parseKit(kitResult(kit, include, noUrlFields)), revision: revisionOf(kit) }
    },
    outline: async (kit, version, call) =>
      parseOutline(outlineResult(findVersion(findKit(await now(call), kit), version))),
    async section(uuid, version, call) {
      const section = findSection(await now(call), uuid, version)
      return parseSection(sectionResult(section, section.items, noUrlFields))
    },
    async gallery({ uuid }, version, call) {
      const { members = [], ...item } = findItem(await now(call), uuid, version)
      return parseGallery(itemResult(item, members, noUrlFields))
    },
    fields: async (call) => parseFields(fieldsResult(await now(call))),
    async download({ uuid, hash }, cut, receive, call) {
      throwIfAborted(call)
      const { content, asset } = await reader.asset(uuid, hash)
      return receive(Readable.from([(await readAssetBytes(content, asset, cut)).bytes]))
    },
    close: () => Promise.resolve(),
  }
}

/** Reads the space id from `space.json`. An invalid file is reported when the folder is read. */
function readSpaceId(path: string): string | undefined {
  const text = attempt(() => readRegularFileSync(join(path, 'space.json')).toString())
  const { success, output } = v.safeParse(spaceJson, jsonOf(text ?? ''))
  return success ? output.space_id?.toString() : undefined
}

/** @throws ContentSpaceError `aborted` */
function throwIfAborted(call: Call | undefined): void {
  if (call?.signal?.aborted) throw new ContentSpaceError('aborted', 'Aborted.')
}
