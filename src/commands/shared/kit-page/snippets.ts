import type { AssetData, KitData } from './data.js'
import { referenceIn, type KitModel } from './model.js'

/** Code to copy. */
export interface Snippet {
  label: string
  code: string
}

/** Returns ways to use an asset in code, most likely first. */
export function snippetsOf(model: KitModel, asset: AssetData, framework?: string): Snippet[] {
  const { kit } = model
  const id = assetId(model, asset)
  const named = { label: 'Named import', code: namedImport(model, asset) }
  const single = { label: 'Single asset', code: importOf(asset.export, id) }
  const snippets = asset.token ? [...tokensOf(kit, asset), named] : [named, single]
  if (asset.component) {
    const form = framework ?? 'component'
    const label = framework ? `${title(framework)} component` : 'Component'
    snippets.push({ label, code: importOf(`{ ${asset.component} }`, `content-space:kit/${kit.reference}?as=${form}`) })
  }
  if (asset.kind === 'picture' || asset.kind === 'font') snippets.push({ label: 'CSS url()', code: `url("${id}")` })
  if (asset.type === 'SVG') snippets.push({ label: 'Application icons', code: iconsLink(id) })
  return snippets
}

/** Returns the line for a page's `<head>` that makes all icons of an application from an SVG. */
function iconsLink(id: string): string {
  return `<link rel="icon" href="${id.replace('content-space:asset/', 'content-space:app-icons/')}">`
}

export function namedImport({ kit }: KitModel, asset: AssetData): string {
  return importOf(`{ ${asset.export} }`, `content-space:kit/${kit.reference}`)
}

/** Returns an id such as `content-space:asset/brand/hero-photo?w=640`. */
export function assetId(model: KitModel, asset: AssetData, query = ''): string {
  return `content-space:asset/${model.kit.reference}/${referenceIn(model, asset)}${query ? `?${query}` : ''}`
}

export function importOf(what: string, id: string): string {
  return `import ${what} from '${id}'`
}

function tokensOf(kit: KitData, asset: AssetData): Snippet[] {
  const group = asset.kind === 'font' ? 'fonts' : 'colors'
  const { token = asset.export } = asset
  const tokens = [
    { label: 'Token', code: `${group}.${token}` },
    { label: 'Import of tokens', code: importOf(`{ ${group} }`, `content-space:tokens/${kit.reference}`) },
  ]
  const variable = asset.variable ?? `--${kit.reference.replace(/@.*$/, '')}-${asset.slug}`
  if (asset.kind === 'color') tokens.push({ label: 'CSS variable', code: `var(${variable})` })
  if (asset.font) tokens.push({ label: 'CSS font', code: `font-family: ${JSON.stringify(asset.font.family)}` })
  return tokens
}

const title = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}`
