import { Readable } from 'node:stream'
import { ContentSpaceError } from '../../src/errors.js'
import { readTexts } from '../../src/space/item-kinds.js'
import type { AssetRecord, ItemRecord, KitRecord, KitVersion, SectionRecord, Space } from '../../src/space/space.js'

/** One version of a kit in memory. */
export interface MemoryKit {
  record: KitRecord
  version: KitVersion
  sections: SectionRecord[]
}

/** A space in memory that records its calls. Its records may be invalid and may change between calls. */
export interface MemorySpace extends Space {
  asked: string[]
}

/**
 * @param kits called for each request, so that a test can change the kits
 * @param answered called with each request before its result is returned
 */
export function memorySpace(kits: () => MemoryKit[], answered: (question: string) => void = () => {}): MemorySpace {
  const asked: string[] = []
  function answer<T>(
    question: string,
    found: T | undefined,
    code: 'kitNotFound' | 'versionNotFound' | 'sectionNotFound',
  ): T {
    asked.push(question)
    answered(question)
    if (found === undefined) throw new ContentSpaceError(code, `${question} is not there.`)
    return found
  }
  return {
    asked,
    label: 'memory',
    key: 'memory',
    async kits() {
      asked.push('kits')
      return kits().map(({ record }) => record)
    },
    async kit(uuid) {
      return answer(`kit ${uuid}`, kits().find(({ record }) => record.uuid === uuid)?.record, 'kitNotFound')
    },
    async outline(uuid, version) {
      const kit = kits().find(({ record, version: own }) => record.uuid === uuid && own.version === version)
      const sections = kit?.sections.map((section) => ({
        uuid: section.uuid,
        name: section.name,
        headings: section.items.flatMap((item) =>
          item.type === 'heading'
            ? [{ uuid: item.uuid, name: readTexts('heading', item.data)?.['content'] ?? '' }]
            : [],
        ),
      }))
      return answer(
        `outline ${uuid} ${version}`,
        kit && { ...kit.version, kitUuid: uuid, sections: sections ?? [] },
        'versionNotFound',
      )
    },
    async section(uuid, version) {
      const versions = kits().filter((kit) => kit.version.version === version)
      let found: SectionRecord | undefined
      for (const { sections } of versions) found ??= sections.find((section) => section.uuid === uuid)
      return answer(`section ${uuid} ${version}`, found, 'sectionNotFound')
    },
    gallery: async () => undefined,
    fields: async () => [],
    download: async ({ uuid }, _cut, receive) => receive(Readable.from([Buffer.from(uuid)])),
    close: async () => {},
  }
}

/** Returns a uuid: for 7, `00000007-0000-4000-8000-000000000000`. */
export function id(number: number): string {
  return `${String(number).padStart(8, '0')}-0000-4000-8000-000000000000`
}

export function assetRecord(uuid: string, name: string, more: Partial<AssetRecord> = {}): AssetRecord {
  return {
    uuid,
    name,
    type: 'SVG',
    notes: '',
    keywords: [],
    colors: [],
    width: 24,
    height: 24,
    size: 100,
    fileHash: 'd41d8cd98f00b204e9800998ecf8427e',
    thumbnails: {},
    presets: [],
    meta: {},
    raw: { uuid, name },
    ...more,
  }
}

export function assetItem(uuid: string, asset: AssetRecord | undefined, more: Partial<ItemRecord> = {}): ItemRecord {
  return {
    uuid,
    type: 'asset',
    status: 'active',
    asset,
    data: { display_size: 'small' },
    ...more,
  }
}

export function headingItem(uuid: string, content: string): ItemRecord {
  return {
    uuid,
    type: 'heading',
    status: 'active',
    data: { content, display_size: 'large' },
  }
}

export function memoryKit(
  uuid: string,
  name: string,
  sections: { uuid: string; name: string; items: ItemRecord[] }[],
  version = 1,
): MemoryKit {
  const dates = { dateAdded: '2025-01-01T00:00:00.000Z', dateUpdated: '2025-02-01T00:00:00.000Z' }
  return {
    record: { uuid, name, status: 'active', useVersion: version, ...dates },
    version: { version, versionIdentifier: '1.0', status: 'active', notes: 'first', ...dates, counts: {} },
    sections: sections.map((section) => ({ ...section, kitUuid: uuid, status: 'active', version, counts: {} })),
  }
}
