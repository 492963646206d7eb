import { exportedCollection } from '../../src/components/collection.js'
import { planAsset, type AssetPlan } from '../../src/files/plan.js'
import type { LoadedItem, LoadedKit } from '../../src/kit/load.js'
import {
  assetIn,
  kitCollection,
  nameKit,
  sectionCollection,
  type GivenKitNames,
  type NamedKit,
} from '../../src/kit/named-kit.js'
import type { ResolvedImport } from '../../src/modules/declarations.js'
import { frameworkOf } from '../../src/request/frameworks.js'
import type { Query } from '../../src/request/query.js'
import { isData } from '../../src/space/asset-type.js'
import type { AssetRecord } from '../../src/space/space.js'
import { uuid } from './lock.js'

export function assetRecord(number: number, name: string, more: Partial<AssetRecord> = {}): AssetRecord {
  return {
    uuid: uuid(number),
    name,
    type: 'SVG',
    notes: '',
    keywords: [],
    colors: [],
    width: 120,
    height: 80,
    size: 1000,
    thumbnails: {},
    presets: [],
    meta: {},
    raw: {},
    ...more,
  }
}

/**
 * Returns a kit with two sections. The first contains all assets below a heading, and the second contains the first
 * asset again.
 */
export function namedKit(assets: AssetRecord[], given: GivenKitNames = {}): NamedKit {
  const items = assets.map((asset, index): LoadedItem => ({
    type: 'asset',
    uuid: uuid(5000 + index),
    displaySize: 'small',
    asset: asset.uuid,
  }))
  const heading: LoadedItem = { type: 'heading', uuid: uuid(4999), content: 'Primary' }
  const kit: LoadedKit = {
    uuid: uuid(9000),
    name: 'Brand',
    status: 'active',
    version: 2,
    versionIdentifier: '1.1',
    notes: 'as "they" are',
    counts: { assets: assets.length, items: items.length + 2, sections: 2 },
    sections: [
      {
        uuid: uuid(9001),
        name: 'Logos',
        counts: { assets: assets.length, items: items.length + 1 },
        items: [heading, ...items],
      },
      { uuid: uuid(9002), name: 'More', counts: { assets: 1, items: 1 }, items: items.slice(0, 1) },
    ],
    assets: Object.fromEntries(assets.map((asset) => [asset.uuid, asset])),
  }
  return nameKit(kit, given)
}

export function meaning(
  specifier: string,
  named: NamedKit,
  part: { section?: string; asset?: string } = {},
  query: Partial<Query> = {},
): ResolvedImport {
  const whole: Query = { as: 'asset', full: false, ...query }
  const isComponent = frameworkOf(whole.as) !== undefined
  const plan = (asset: AssetRecord): AssetPlan => {
    if (isComponent) return planAsset(asset, whole, 'sanitize')
    return query.as === 'url' ? planOf(asset) : planPicture(asset)
  }
  const plans = new Map(Object.values(named.kit.assets).map((asset) => [asset.uuid, isData(asset) ? {} : plan(asset)]))
  const described = { specifier, named, plans, query: whole }
  if (part.asset !== undefined) return { kind: 'asset', asset: assetIn(named, part.asset), ...described }
  const collection = part.section === undefined ? kitCollection(named) : sectionCollection(named, part.section)
  const exported = exportedCollection(collection, whole, 'sanitize')
  return { kind: 'collection', collection: exported, withoutCut: new Map(), ...described }
}

function planOf({ uuid: asset, name, type, width, height }: AssetRecord): AssetPlan {
  const src = { asset, label: name, name: 'file', ext: type.toLowerCase(), type }
  return {
    src,
    format: type.toLowerCase(),
    ...(width === undefined ? {} : { width }),
    ...(height === undefined ? {} : { height }),
  }
}

function planPicture(asset: AssetRecord): AssetPlan {
  const plan = planOf(asset)
  if (asset.type !== 'JPG' || plan.src === undefined) return plan
  const placeholder = { file: plan.src, as: 'placeholder' } as const
  return { ...plan, srcset: [], sources: [{ type: 'image/avif', srcset: [] }], placeholder }
}
