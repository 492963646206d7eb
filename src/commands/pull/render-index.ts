import { exportName } from '../../components/collection.js'
import { commonJsSource } from '../../modules/emit.js'
import { code, contentLiteral, identifier, literal } from '../../modules/literal.js'
import { stringType } from '../../modules/object-type.js'
import { exactType } from '../../modules/types.js'
import type { FolderContents } from './layout.js'

interface IndexEntry {
  /** Name of the local variable. It differs from every export name. */
  local: string
  /** Import specifier of the asset's module. */
  from: string
  /** Export names, including former names, sorted. */
  names: string[]
  current: string
}

/** Returns the kit in display order, with the results of `asset` in place of the assets. */
type Tree = (asset: (local: string) => unknown) => unknown

/**
 * Returns `index.js` and `index.d.ts`: a named export for each asset, and the kit as the default export, with the same
 * structure as in the virtual module.
 */
export function indexTexts({ named, collection, placed, query, module }: FolderContents): {
  script: string
  types: string
} {
  const { exports, tree } = collection
  const names = new Map<string, string[]>()
  for (const [name, uuid] of exports) names.set(uuid, [...(names.get(uuid) ?? []), name])
  const locals = new Map(placed.map(({ asset }, at) => [asset.uuid, `asset$${at}`]))
  const entries = placed.map(({ asset: { uuid }, stem }) => {
    return {
      local: locals.get(uuid) ?? '',
      from: `./${stem}.js`,
      names: (names.get(uuid) ?? []).map(identifier),
      current: identifier(exportName(named.assets.get(uuid)?.name ?? '', query)),
    }
  })
  const ofLocals: Tree = (asset) => tree((uuid) => asset(locals.get(uuid) ?? ''))
  return {
    script: (module === 'cjs' ? commonJsIndex : moduleIndex)(entries, ofLocals),
    types: typesIndex(entries, ofLocals),
  }
}

/**
 * Re-exports each asset directly from its module, so that a bundler that needs one asset doesn't have to read the
 * others.
 */
function moduleIndex(entries: readonly IndexEntry[], tree: Tree): string {
  return [
    ...entries.flatMap(({ from, names }) =>
      names.map((name) => `export { default as ${name} } from ${literal(from)}\n`),
    ),
    ...entries.map(({ local, from }) => `import ${local} from ${literal(from)}\n`),
    `export default ${contentLiteral(tree(code))}\n`,
  ].join('')
}

function commonJsIndex(entries: readonly IndexEntry[], tree: Tree): string {
  const named = entries.flatMap(({ local, names }) => names.map((name) => [name, local] as const))
  return [
    ...entries.map(({ local, from }) => `const ${local} = require(${literal(from)}).default\n`),
    commonJsSource([...named, ['default', contentLiteral(tree(code))]]),
  ].join('')
}

function typesIndex(entries: readonly IndexEntry[], tree: Tree): string {
  const references = new Map<unknown, string>()
  const shape = tree((local) => {
    const reference = {}
    references.set(reference, `typeof ${local}`)
    return reference
  })
  return [
    ...entries.map(({ local, from }) => `import ${local} from ${stringType(from)}\n`),
    ...entries.flatMap(({ local, names, current }) =>
      names.map((name) => (name === current ? `export { ${local} as ${name} }\n` : renamedText(name, current, local))),
    ),
    `declare const kit: ${exactType(shape, references)}\nexport default kit\n`,
  ].join('')
}

function renamedText(former: string, current: string, local: string): string {
  return `/** @deprecated Renamed: import ${current}. */\nexport declare const ${former}: typeof ${local}\n`
}
