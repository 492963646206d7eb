import { posix } from 'node:path'
import type { FileDescriptor, ValueDescriptor } from '../../files/plan.js'
import type { NamedKit } from '../../kit/named-kit.js'
import { fullMetadataType } from '../../modules/asset-fields.js'
import { assetValue, type Imports } from '../../modules/asset-value.js'
import { contentLiteral, literal } from '../../modules/literal.js'
import type { Expression, References } from '../../modules/references.js'
import { assetType } from '../../modules/types.js'
import type { Query } from '../../request/query.js'
import { indexTexts } from './render-index.js'
import { fileKey, type PlacedAsset } from './layout.js'

/**
 * How modules refer to files: by an address, by an import for bundlers with an asset pipeline, or in CommonJS by paths.
 */
export const moduleKinds = ['url', 'import', 'cjs'] as const
export type ModuleKind = (typeof moduleKinds)[number]

export interface TextContext {
  named: NamedKit
  query: Query
  module: ModuleKind
  value: (value: ValueDescriptor) => Promise<string>
}

/** The paths of `moduleTexts`, in the order in which they are written: what others refer to comes first. */
export function modulePaths(placed: readonly PlacedAsset[]): string[] {
  return [...placed.flatMap(({ stem }) => [`${stem}.js`, `${stem}.d.ts`]), 'index.js', 'index.d.ts', 'package.json']
}

/**
 * The modules of a pulled kit by path: one beside each asset, `index` over all, and what tells Node and bundlers of
 * them.
 */
export async function moduleTexts(placed: readonly PlacedAsset[], context: TextContext): Promise<Map<string, string>> {
  const texts = new Map<string, string>()
  for (const asset of placed) {
    texts.set(`${asset.stem}.js`, await assetText(asset, context))
    texts.set(`${asset.stem}.d.ts`, declarationText(asset, context.query))
  }
  const { script, types } = indexTexts(placed, context.named, context.module === 'cjs')
  texts.set('index.js', script)
  texts.set('index.d.ts', types)
  texts.set('package.json', packageText(context.module))
  return texts
}

async function assetText(placed: PlacedAsset, { query, module, value }: TextContext): Promise<string> {
  const imports: Imports = new Map()
  const references: References = {
    layout: 'barrel',
    address: (file) => address(placed, file, module),
    value: async (wanted) => ({ code: contentLiteral(await value(wanted)) }),
  }
  const exported = contentLiteral(await assetValue(placed.asset, query, placed.plan, references, imports))
  if (module === 'cjs') return `exports.__esModule = true\nexports.default = ${exported}\n`
  const lines = [...imports].map(([local, from]) => `import ${local} from ${literal(from)}\n`)
  return `${lines.join('')}export default ${exported}\n`
}

function address({ files }: PlacedAsset, file: FileDescriptor, module: ModuleKind): Expression {
  const key = fileKey(file)
  const name = `./${posix.basename(files.get(key)?.path ?? '')}`
  if (module === 'url') return { code: `new URL(${literal(name)}, import.meta.url).href` }
  if (module === 'cjs') return { code: `require("node:path").join(__dirname, ${literal(name)})` }
  const local = `file${[...files.keys()].indexOf(key)}`
  return { code: local, import: { local, from: name } }
}

/** Spells out all types: a pulled folder does not depend on this package. */
function declarationText({ asset, plan }: PlacedAsset, query: Query): string {
  return `declare const asset: ${assetType(asset, query, plan, fullMetadataType())}\nexport default asset\n`
}

function packageText(module: ModuleKind): string {
  const manifest = {
    private: true,
    type: module === 'cjs' ? 'commonjs' : 'module',
    sideEffects: false,
    exports: { '.': { types: './index.d.ts', default: './index.js' }, './*': './*' },
  }
  return `${JSON.stringify(manifest, null, 2)}\n`
}
