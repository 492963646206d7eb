import type { FullMetadata, KnownAsset } from '../asset.js'
import type { AssetPlan, SrcsetEntry } from '../files/plan.js'
import { namesIn, type NamedKit } from '../kit/named-kit.js'
import type { Query } from '../request/query.js'
import type { AssetRecord } from '../space/space.js'
import { omitUndefined } from '../text/omit-undefined.js'
import { fieldsOf, fullFields, metadataFields, pick, type FieldName } from './asset-fields.js'
import { code, type Code } from './literal.js'
import type { Expression, References } from './references.js'

/** Import statements that expressions need: module ids by local name. */
export type Imports = Map<string, string>

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
  const embed = ({ code: text, import: needed }: Expression): Code => {
    if (needed) imports.set(needed.local, needed.from)
    return code(text)
  }
  if (query.as === 'raw' || query.as === 'inline') return plan.value && embed(await references.value(plan.value))
  const src = plan.src && embed(references.address(plan.src))
  if (query.as === 'url') return src
  const srcset = (entries: SrcsetEntry[]) => srcsetExpression(entries, references, imports)
  // The order of these statements is the order of the imports.
  const sources = plan.sources?.map(({ type, srcset: entries }) => ({ type, srcset: srcset(entries) }))
  const placeholder = plan.placeholder && embed(await references.value(plan.placeholder))
  const { width, height } = query.as === 'metadata' ? asset : plan
  const values: Record<FieldName, unknown> = {
    ...pick(asset, ['uuid', 'name', 'type', 'notes', 'keywords', 'colors', 'meta']),
    format: plan.format,
    src,
    width,
    height,
    srcset: plan.srcset && srcset(plan.srcset),
    sources,
    placeholder,
  }
  const shown = pick(values, fieldsOf(asset, query.as))
  return query.full && query.as !== 'picture' ? { ...shown, ...fullMetadata(asset) } : shown
}

/** Returns the metadata of an asset. No file is downloaded. */
export function knownAsset(asset: AssetRecord, named: NamedKit): KnownAsset {
  const { name, slug } = namesIn(named, asset.uuid)
  return {
    ...pick(asset, metadataFields(asset)),
    ...fullMetadata(asset),
    export: name,
    slug,
    ...omitUndefined({
      named: named.chosen.byAsset.has(asset.uuid) || undefined,
      suggestedName: named.suggested.get(asset.uuid),
    }),
  }
}

/** The fields that `metadata=full` adds. */
function fullMetadata(asset: AssetRecord): FullMetadata {
  return pick({ ...asset, cuts: asset.cuts ?? [] }, fullFields)
}

/**
 * Returns an expression for a `srcset`, such as `a 640w, b 1280w`. The strings are joined when the module runs, because
 * addresses are known only then.
 */
function srcsetExpression(entries: SrcsetEntry[], references: References, imports: Imports): Code {
  const addresses = entries.map(({ file }) => references.address(file))
  const parts = addresses.map(
    ({ code: text }, index) => `${text}+${JSON.stringify(` ${entries[index]?.descriptor ?? ''}`)}`,
  )
  const sum = parts.join('+", "+')
  const needed = addresses.flatMap((address) => address.import ?? [])
  for (const { local, from } of needed) imports.set(local, from)
  // For bundlers, `+` with an imported value may have side effects. The annotation allows them to drop it.
  return code(needed.length > 0 ? `/* @__PURE__ */ (() => ${sum})()` : sum)
}
