import type { FullMetadata, KnownAsset } from '../asset.js'
import type { AssetPlan, SrcsetEntry } from '../files/plan.js'
import { presentCounterpart } from '../kit/dark-pairs.js'
import { namesOfAsset, type NamedKit } from '../kit/named-kit.js'
import { frameworkOf, type Framework } from '../request/frameworks.js'
import type { Query } from '../request/query.js'
import { isData } from '../space/asset-type.js'
import type { AssetRecord } from '../space/space.js'
import { sortedColors, sortedMeta, sortedRecord } from '../space/wire/sorted.js'
import { omitUndefined } from '../text/omit-undefined.js'
import { pick } from '../text/pick.js'
import { fieldsOf, fullFields, metadataFields, type FieldName } from './asset-fields.js'
import { addImport, embed, type Imports, type References, importRuntime } from './references.js'
import { darkStyles, pictureStyles, runtimeOf, type RuntimeExport, type RuntimeName } from '../components/runtimes.js'
import { code, contentLiteral, literal, type Code } from './literal.js'

/**
 * Returns the value of an asset's import, for `literal`.
 * @param imports collects the imports that the value needs
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
  if (query.as === 'raw' || query.as === 'inline') return textValue(plan, references, imports)
  const src = plan.src && embed(references.address(plan.src), imports)
  if (query.as === 'url') return src
  const srcset = (entries: SrcsetEntry[]) => srcsetExpression(entries, references, imports)
  // Keep the order of these statements, because it determines the order of the imports.
  const sources = sourcesValue(plan, references, imports)
  const placeholder = plan.placeholder && embed(await references.value(plan.placeholder), imports)
  const dark = plan.dark && darkValue(plan.dark, references, imports)
  const { width, height } = query.as === 'metadata' ? asset : plan
  const sorted = query.full
    ? sortedRecord(asset)
    : { ...asset, colors: sortedColors(asset), meta: isData(asset) ? sortedMeta(asset) : undefined }
  const values: Record<FieldName, unknown> = {
    ...sorted,
    fields: asset.fields,
    format: plan.format,
    src,
    width,
    height,
    srcset: plan.srcset && srcset(plan.srcset),
    sources,
    placeholder,
    dark,
  }
  const fields = pick(values, fieldsOf(asset, query.as))
  if (references.blurDataURL && placeholder) Object.assign(fields, { blurDataURL: placeholder })
  return query.full && query.as !== 'picture' ? { ...fields, ...fullMetadata(sorted) } : fields
}

function darkValue(plan: AssetPlan, references: References, imports: Imports) {
  const { src, width, height, srcset } = plan
  return {
    src: src && embed(references.address(src), imports),
    width,
    height,
    srcset: srcset && srcsetExpression(srcset, references, imports),
    sources: sourcesValue(plan, references, imports),
  }
}

function sourcesValue({ sources }: AssetPlan, references: References, imports: Imports) {
  return sources?.map(({ type, srcset }) => ({ type, srcset: srcsetExpression(srcset, references, imports) }))
}

/** Returns the metadata of an asset without downloading any files. */
export function knownAsset(record: AssetRecord, named: NamedKit): KnownAsset {
  const asset = sortedRecord(record)
  return { ...pick(asset, metadataFields(asset)), ...fullMetadata(asset), ...namesInProject(asset, named) }
}

/** Returns the same metadata, with data as the service sent it. */
export function unsortedAsset(record: AssetRecord, named: NamedKit): KnownAsset {
  const { previews: _, ...asset } = record
  return { ...asset, cuts: asset.cuts ?? [], ...namesInProject(asset, named) }
}

function namesInProject(
  asset: AssetRecord,
  named: NamedKit,
): Pick<KnownAsset, 'export' | 'slug' | 'named' | 'suggestedName' | 'dark'> {
  const { uuid } = asset
  const { name, slug } = namesOfAsset(named, uuid)
  const counterpart = presentCounterpart(named, asset)
  return {
    export: name,
    slug,
    ...omitUndefined({
      named: named.chosen.byAsset.has(uuid) || undefined,
      suggestedName: named.suggested.get(uuid),
      dark: counterpart && namesOfAsset(named, counterpart.uuid).slug,
    }),
  }
}

function fullMetadata(asset: AssetRecord): FullMetadata {
  return pick({ ...asset, cuts: asset.cuts ?? [] }, fullFields)
}

/**
 * Returns the text of a file. If the file has a dark counterpart, the text contains both, and a style sheet hides one
 * of them.
 */
async function textValue({ value, dark }: AssetPlan, references: References, imports: Imports): Promise<unknown> {
  const light = value && embed(await references.value(value), imports)
  if (light === undefined || dark?.value === undefined) return light
  importDarkStyles(references, imports)
  const other = embed(await references.value(dark.value), imports)
  return code(`${spanCode('light', light)}+${spanCode('dark', other)}`)
}

/** @param mode the end of the class name */
function spanCode(mode: 'light' | 'dark', text: Code): string {
  return `${literal(`<span class="content-space-${mode}">`)}+${contentLiteral(text)}+"</span>"`
}

function importDarkStyles({ darkMode = 'media', pictureStyles: from }: References, imports: Imports): void {
  const styles = from && darkStyles(from, darkMode)
  if (styles !== undefined) imports.set(styles, { from: styles, exported: false })
}

/**
 * Returns an expression for a component, which calls the framework's runtime.
 * @param name the runtime
 */
async function componentValue(
  framework: Framework,
  plan: AssetPlan,
  references: References,
  imports: Imports,
  name = runtimeOf(framework, plan),
): Promise<Code> {
  const call = (from: RuntimeName, exported: RuntimeExport, ...values: unknown[]): Code => {
    const runtime = references.runtime?.(from, exported) ?? importRuntime(from, exported)
    const callee = contentLiteral(embed(runtime, imports))
    return code(`/* @__PURE__ */ ${callee}(${values.map((value) => contentLiteral(value)).join(', ')})`)
  }
  const { dark, ...light } = plan
  if (dark && (plan.value || (references.darkMode ?? 'media') !== 'media')) {
    importDarkStyles(references, imports)
    const first = await componentValue(framework, light, references, imports, name)
    return call(framework, 'pair', first, await componentValue(framework, dark, references, imports, name))
  }
  if (plan.value) return call(framework, 'svg', embed(await references.value(plan.value), imports))
  const { src, width, height, srcset, placeholder } = plan
  const density = densityOf(plan)
  const styles = references.pictureStyles && pictureStyles(references.pictureStyles)
  if (styles !== undefined) imports.set(styles, { from: styles, exported: false })
  const data = {
    src: src && embed(references.address(src), imports),
    width: width && Math.round(width / density),
    height: height && Math.round(height / density),
    srcset: srcset && srcsetExpression(srcset, references, imports),
    sources: pictureSources(plan, references, imports),
    placeholder: placeholder && embed(await references.value(placeholder), imports),
  }
  return call(name, data.sources ? 'picture' : 'image', data)
}

/** Returns the sources of a `<picture>`, dark sources first. */
function pictureSources(plan: AssetPlan, references: References, imports: Imports): object[] | undefined {
  const dark = plan.dark && darkValue(plan.dark, references, imports)
  const own = sourcesValue(plan, references, imports)
  if (dark === undefined) return own
  const sources = dark.sources ?? [{ srcset: dark.srcset ?? dark.src }]
  return [...sources.map((source) => ({ media: '(prefers-color-scheme: dark)', ...source })), ...(own ?? [])]
}

/**
 * Returns the density of `src`, which is the highest in the `srcset`. Pages display `src` at its size divided by this
 * density.
 */
function densityOf({ srcset, sources }: AssetPlan): number {
  const last = (srcset ?? sources?.at(-1)?.srcset)?.at(-1)?.descriptor ?? '1x'
  return Number(/^([\d.]+)x$/.exec(last)?.[1] ?? 1)
}

/**
 * Returns an expression for a `srcset`, such as `a 640w, b 1280w`. The strings are joined when the module runs, because
 * URLs aren't known earlier.
 */
function srcsetExpression(entries: readonly SrcsetEntry[], references: References, imports: Imports): Code {
  const addresses = entries.map(({ file }) => references.address(file))
  const parts = addresses.map(
    ({ code: text }, index) => `${text}+${JSON.stringify(` ${entries[index]?.descriptor ?? ''}`)}`,
  )
  const sum = parts.join('+", "+')
  for (const address of addresses) addImport(address, imports)
  // Bundlers assume that `+` with an imported value may have side effects. The annotation lets them remove the
  // expression.
  return code(addresses.some((address) => address.import) ? `/* @__PURE__ */ (() => ${sum})()` : sum)
}
