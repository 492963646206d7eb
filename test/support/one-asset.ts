import { Readable } from 'node:stream'
import { planAsset, type AssetPlan } from '../../src/files/plan.js'
import type { SvgPolicy } from '../../src/files/recipe.js'
import { parseQuery } from '../../src/request/query.js'
import type { AssetRecord, Space } from '../../src/space/space.js'

/** Returns an asset record with the given fields. */
function assetRecord(given: Partial<AssetRecord> = {}): AssetRecord {
  return {
    uuid: 'A0000000-0000-4000-8000-000000000000',
    name: 'Hero Photo',
    type: 'JPG',
    notes: '',
    keywords: [],
    colors: [],
    size: 1000,
    thumbnails: {},
    presets: [],
    meta: {},
    raw: {},
    ...given,
  }
}

/** Plans an asset for a query string. */
export function planned(asset: Partial<AssetRecord>, query: string, svg: SvgPolicy = 'sanitize'): AssetPlan {
  return planAsset(assetRecord(asset), parseQuery(query), svg)
}

const unused = () => Promise.reject(new Error('not asked for in this test'))

/** Returns a space that only supports downloads. */
export function downloadSpace(download: Space['download']): Space {
  return {
    label: 'test',
    key: 'test',
    kits: unused,
    kit: unused,
    outline: unused,
    section: unused,
    gallery: unused,
    fields: unused,
    download,
    close: async () => {},
  }
}

/**
 * Returns a space with one asset.
 * @param downloads collects the cut of each download
 */
export function spaceOf(content: Record<string, Uint8Array>, type: string, downloads: string[] = []): Space {
  return downloadSpace(async (_asset, cut = type, receive) => {
    downloads.push(cut)
    const bytes = content[cut]
    if (!bytes) throw new Error(`no ${cut}`)
    return receive(Readable.from([bytes]))
  })
}
