import type { FullMetadata, KnownAsset } from '../asset.js'
import type { AssetPlan, SrcsetEntry } from '../files/plan.js'
import { namesIn, type NamedKit } from '../kit/named-kit.js'
import { frameworkOf } from '../request/frameworks.js'
import type { Query } from '../request/query.js'
import { isData } from '../space/asset-type.js'
import type { AssetRecord } from '../space/space.js'
import { sortedColors, sortedMeta, sortedRecord } from '../space/wire/sorted.js'
import { omitUndefined } from '../text/omit-undefined.js'
import { pick } from '../text/pick.js'
import { fieldsOf, fullFields, metadataFields, type FieldName } from './asset-fields.js'
import { componentValue } from './component-value.js'
import { embed, type Imports, type References } from './references.js'
import { srcsetExpression } from './srcset.js'

/**
 * Returns the value of an import of an asset, for `literal`.
 * @param imports receives the imports that the value needs
 */
export async function assetValue(
  asset: AssetRecord,
  query: Query,
  plan: AssetPlan,
  references: References,
  imports: Imports,
): Promise<unknown> {
  const framework = frameworkOf(query.as)
  if (framework !== undefined) return componentValue(framework, plan, references, imports)
  if (query.as === 'raw' || query.as === 'inline')
    return plan.value && embed(await references.value(plan.value), imports)
  const src = plan.src && embed(references.address(plan.src), imports)
  if (query.as === 'url') return src
  const srcset = (entries: SrcsetEntry[]) => srcsetExpression(entries, references, imports)
  // The order of these statements is the order of the imports.
  const sources = plan.sources?.map(({ type, srcset: entries }) => ({ type, srcset: srcset(entries) }))
  const placeholder = plan.placeholder && embed(await references.value(plan.placeholder), imports)
  const { width, height } = query.as === 'metadata' ? asset : plan
  const sorted = query.full
    ? sortedRecord(asset)
    : { ...asset, colors: sortedColors(asset), meta: isData(asset) ? sortedMeta(asset) : undefined }
  const values: Record<FieldName, unknown> = {
    ...pick(sorted, ['uuid', 'name', 'type', 'notes', 'keywords', 'colors', 'meta']),
    format: plan.format,
    src,
    width,
    height,
    srcset: plan.srcset && srcset(plan.srcset),
    sources,
    placeholder,
  }
  const shown = pick(values, fieldsOf(asset, query.as))
  return query.full && query.as !== 'picture' ? { ...shown, ...fullMetadata(sorted) } : shown
}

/** Returns the metadata of an asset. No file is downloaded. */
export function knownAsset(record: AssetRecord, named: NamedKit): KnownAsset {
  const asset = sortedRecord(record)
  return { ...pick(asset, metadataFields(asset)), ...fullMetadata(asset), ...shownNames(asset.uuid, named) }
}

/** Returns the same metadata, with data as the service sent it. */
export function unsortedAsset(asset: AssetRecord, named: NamedKit): KnownAsset {
  return { ...asset, cuts: asset.cuts ?? [], ...shownNames(asset.uuid, named) }
}

function shownNames(
  uuid: string,
  named: NamedKit,
): Pick<KnownAsset, 'export' | 'slug'> & Partial<Pick<KnownAsset, 'named' | 'suggestedName'>> {
  const { name, slug } = namesIn(named, uuid)
  return {
    export: name,
    slug,
    ...omitUndefined({
      named: named.chosen.byAsset.has(uuid) || undefined,
      suggestedName: named.suggested.get(uuid),
    }),
  }
}

/** The fields that `metadata=full` adds. */
function fullMetadata(asset: AssetRecord): FullMetadata {
  return pick({ ...asset, cuts: asset.cuts ?? [] }, fullFields)
}
