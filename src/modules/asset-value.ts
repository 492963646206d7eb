import type { FullMetadata, KnownAsset } from '../asset.js'
import type { AssetPlan, SrcsetEntry } from '../files/plan.js'
import type { AssetName } from '../kit/names.js'
import type { Query } from '../request/query.js'
import { isData } from '../space/asset-type.js'
import type { AssetRecord } from '../space/space.js'
import { code, type Code } from './literal.js'
import type { Expression, References } from './references.js'

/** The imports that expressions need, by local name. */
export type Imports = Map<string, string>

/**
 * What an import of one asset is, as a value for `literal`.
 * @param imports gets the imports that the value needs
 */
export async function assetValue(
  asset: AssetRecord,
  query: Query,
  plan: AssetPlan,
  references: References,
  imports: Imports,
): Promise<unknown> {
  const embed = ({ code: text, import: needed }: Expression): Code => {
    if (needed) imports.set(needed.local, needed.from)
    return code(text)
  }
  const src = plan.src && embed(references.address(plan.src))
  const srcset = (entries: SrcsetEntry[] | undefined) => entries && joined(entries, references, imports)
  const sources = plan.sources?.map(({ type, srcset: entries }) => ({ type, srcset: srcset(entries) }))
  const placeholder = plan.placeholder && embed(await references.value(plan.placeholder))
  const picture = { src, width: plan.width, height: plan.height, srcset: srcset(plan.srcset), sources, placeholder }
  switch (query.as) {
    case 'url':
      return src
    case 'raw':
    case 'inline':
      return plan.value && embed(await references.value(plan.value))
    case 'picture':
      return { name: asset.name, ...picture }
    case 'metadata':
      return { ...metadata(asset), ...(query.full ? fullMetadata(asset) : {}) }
    default: {
      const { uuid, name, type, notes, keywords, colors } = asset
      const shown = isData(asset)
        ? metadata(asset)
        : { uuid, name, type, format: plan.format, ...picture, notes, keywords, colors }
      return { ...shown, ...(query.full ? fullMetadata(asset) : {}) }
    }
  }
}

/** What describes an asset without any file. What is data has no size in pixels, and always its `meta`. */
function metadata(asset: AssetRecord) {
  const { uuid, name, type, width, height, notes, keywords, colors, meta } = asset
  return isData(asset)
    ? { uuid, name, type, notes, keywords, colors, meta }
    : { uuid, name, type, width, height, notes, keywords, colors }
}

/** What `metadata=full` adds. */
function fullMetadata(asset: AssetRecord): FullMetadata {
  const {
    size,
    fileHash,
    fileId,
    dateAdded,
    dateUpdated,
    fileUpdated,
    permalink,
    thumbnails,
    cuts = [],
    presets,
    raw,
  } = asset
  return { size, fileHash, fileId, dateAdded, dateUpdated, fileUpdated, permalink, thumbnails, cuts, presets, raw }
}

/** Everything that is known of an asset without any file. */
export function knownAsset(asset: AssetRecord, { name, slug }: AssetName): KnownAsset {
  return { ...metadata(asset), ...fullMetadata(asset), export: name, slug }
}

/** `a 640w, b 1280w`, put together where the module runs, for addresses are known only there. */
function joined(entries: SrcsetEntry[], references: References, imports: Imports): Code {
  const addresses = entries.map(({ file }) => references.address(file))
  const parts = addresses.map(
    ({ code: text }, index) => `${text}+${JSON.stringify(` ${entries[index]?.descriptor ?? ''}`)}`,
  )
  const sum = parts.join('+", "+')
  const needed = addresses.flatMap((address) => address.import ?? [])
  for (const { local, from } of needed) imports.set(local, from)
  // Adding an imported value could call its `valueOf`: bundlers keep it, unless they are told that it is pure.
  return code(needed.length > 0 ? `/* @__PURE__ */ (() => ${sum})()` : sum)
}
