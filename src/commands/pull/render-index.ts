import { kitCollection, type NamedKit } from '../../kit/named-kit.js'
import { code, contentLiteral, identifier, literal } from '../../modules/literal.js'
import { exactType, stringType } from '../../modules/types.js'
import type { PlacedAsset } from './layout.js'

/** An asset under a local name that no export has, and the exports that it is behind. */
interface Entry {
  local: string
  from: string
  /** Former ones too, sorted. */
  names: string[]
  /** The present one. */
  now: string
}

type Tree = (asset: (local: string) => unknown) => unknown

/**
 * The modules over all assets of a kit: a named export for each, and the default export, as the virtual module has
 * them.
 */
export function indexTexts(
  placed: readonly PlacedAsset[],
  named: NamedKit,
  common: boolean,
): { script: string; types: string } {
  const { exports, tree } = kitCollection(named)
  const names = new Map<string, string[]>()
  for (const [name, uuid] of exports) names.set(uuid, [...(names.get(uuid) ?? []), name])
  const locals = new Map(placed.map(({ asset }, at) => [asset.uuid, `asset$${at}`]))
  const entries = placed.map(({ asset: { uuid }, stem }) => {
    return {
      local: locals.get(uuid) ?? '',
      from: `./${stem}.js`,
      names: (names.get(uuid) ?? []).map(identifier),
      now: identifier(named.assets.get(uuid)?.name ?? ''),
    }
  })
  const ofLocals: Tree = (asset) => tree((uuid) => asset(locals.get(uuid) ?? ''))
  return { script: (common ? commonIndex : moduleIndex)(entries, ofLocals), types: typesIndex(entries, ofLocals) }
}

/** Re-exports come straight from the assets, so that bundlers find one without reading the others. */
function moduleIndex(entries: readonly Entry[], tree: Tree): string {
  return [
    ...entries.flatMap(({ from, names }) =>
      names.map((name) => `export { default as ${name} } from ${literal(from)}\n`),
    ),
    ...entries.map(({ local, from }) => `import ${local} from ${literal(from)}\n`),
    `export default ${contentLiteral(tree(code))}\n`,
  ].join('')
}

/** Written so that Node finds the names when an ES module imports it. */
function commonIndex(entries: readonly Entry[], tree: Tree): string {
  return [
    'exports.__esModule = true\n',
    ...entries.map(({ local, from }) => `const ${local} = require(${literal(from)}).default\n`),
    ...entries.flatMap(({ local, names }) => names.map((name) => `exports.${name} = ${local}\n`)),
    `exports.default = ${contentLiteral(tree(code))}\n`,
  ].join('')
}

function typesIndex(entries: readonly Entry[], tree: Tree): string {
  const references = new Map<unknown, string>()
  const shape = tree((local) => {
    const reference = {}
    references.set(reference, `typeof ${local}`)
    return reference
  })
  return [
    ...entries.map(({ local, from }) => `import ${local} from ${stringType(from)}\n`),
    ...entries.flatMap(({ local, names, now }) =>
      names.map((name) => (name === now ? `export { ${local} as ${name} }\n` : renamed(name, now, local))),
    ),
    `declare const kit: ${exactType(shape, references)}\nexport default kit\n`,
  ].join('')
}

function renamed(before: string, now: string, local: string): string {
  return `/** @deprecated Renamed: import ${now}. */\nexport declare const ${before}: typeof ${local}\n`
}
