import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { Readable } from 'node:stream'
import * as v from 'valibot'
import { ContentSpaceError } from '../../errors.js'
import { readAssetBytes } from './bytes.js'
import { spaceJson } from './sidecar.js'
import { createFolderReader } from './cached-read.js'
import {
  findKit,
  findSection,
  findVersion,
  kitResult,
  kitsResult,
  noAddresses,
  outlineResult,
  revisionOf,
  sectionResult,
} from './to-wire.js'
import type { Call, Space } from '../space.js'
import { parseKit, parseKits, parseOutline, parseSection } from '../wire/records.js'

/**
 * An embedded space: a folder of plain files as a space, without a server or a token.
 * @param path of the folder; it is read at the first call, and each listing sees the folder as it is then
 */
export function folderSpace(path: string): Space {
  const reader = createFolderReader(path)
  const now = async (call?: Call) => {
    checkWanted(call)
    return reader.now()
  }
  const spaceId = readSpaceId(path)
  return {
    label: path,
    key: resolve(path),
    local: true,
    ...(spaceId === undefined ? {} : { spaceId }),
    kits: async (call) => parseKits(kitsResult(await now(call), noAddresses)),
    async kit(uuid, include, call) {
      const kit = findKit(await now(call), uuid)
      return { ...parseKit(kitResult(kit, include, noAddresses)), revision: revisionOf(kit) }
    },
    outline: async (kit, version, call) =>
      parseOutline(outlineResult(findVersion(findKit(await now(call), kit), version))),
    async section(uuid, version, call) {
      const section = findSection(await now(call), uuid, version)
      return parseSection(sectionResult(section, section.items, noAddresses))
    },
    async download({ uuid, hash }, cut, receive, call) {
      checkWanted(call)
      const { content, asset } = await reader.asset(uuid, hash)
      return receive(Readable.from([(await readAssetBytes(content, asset, cut)).bytes]))
    },
    close: () => Promise.resolve(),
  }
}

/** What `space.json` says; one that cannot be read is told of when the folder is. */
function readSpaceId(path: string): string | undefined {
  try {
    return v.parse(spaceJson, JSON.parse(readFileSync(join(path, 'space.json'), 'utf8'))).space_id?.toString()
  } catch {
    return undefined
  }
}

/** @throws ContentSpaceError `aborted` */
function checkWanted(call: Call | undefined): void {
  if (call?.signal?.aborted) throw new ContentSpaceError('aborted', 'The reading of the folder was called off.')
}
