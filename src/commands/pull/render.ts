import { posix } from 'node:path'
import type { FileDescriptor, ValueDescriptor } from '../../files/plan.js'
import { fullMetadataType } from '../../modules/asset-fields.js'
import { assetValue } from '../../modules/asset-value.js'
import { commonJsSource } from '../../modules/emit.js'
import { contentLiteral, literal } from '../../modules/literal.js'
import { importLines, importRuntime, type Expression, type Imports, type References } from '../../modules/references.js'
import { assetType } from '../../modules/types.js'
import { frameworkOf } from '../../request/frameworks.js'
import { fileKey } from '../shared/file-key.js'
import { fileReference, type PulledKind } from './module-kinds.js'
import { indexTexts } from './render-index.js'
import { ownTypes, runtimeFrom } from './runtime.js'
import type { FolderContents, PlacedAsset } from './layout.js'

/** The file that describes the modules to Node and bundlers. It is written only to a folder without other files. */
export const packageName = 'package.json'

type ValueText = (value: ValueDescriptor) => string

/**
 * Returns the paths of `moduleTexts` in the order of writing: imported modules precede the modules that import them.
 */
export function modulePaths({ placed, runtime }: FolderContents): string[] {
  const modules = placed.flatMap(({ stem }) => [`${stem}.js`, `${stem}.d.ts`])
  return [...runtime.keys(), ...modules, 'index.js', 'index.d.ts', packageName]
}

/**
 * Yields the modules of a pulled kit, in the order of `modulePaths`: one beside each asset, an `index` over all, and
 * the `package.json` that describes them to Node and bundlers. It is a generator because all modules of a large kit at
 * once would need a lot of memory.
 */
export async function* moduleTexts(
  contents: FolderContents,
  value: ValueText,
): AsyncGenerator<[path: string, text: string]> {
  yield* contents.runtime
  for (const asset of contents.placed) {
    yield [`${asset.stem}.js`, await assetText(asset, contents, value)]
    yield [`${asset.stem}.d.ts`, declarationText(asset, contents)]
  }
  const { script, types } = indexTexts(contents)
  yield ['index.js', script]
  yield ['index.d.ts', types]
  yield [packageName, packageText(contents.module)]
}

async function assetText(
  placed: PlacedAsset,
  { query, module, darkMode }: FolderContents,
  value: ValueText,
): Promise<string> {
  const imports: Imports = new Map()
  const references: References = {
    layout: 'barrel',
    darkMode,
    address: (file) => address(placed, file, module),
    value: async (requested) => ({ code: contentLiteral(value(requested)) }),
    runtime(name, exported) {
      const from = runtimeFrom(placed, name)
      return module === 'cjs' ? { code: `require(${literal(from)}).${exported}` } : importRuntime(name, exported, from)
    },
  }
  const exported = contentLiteral(await assetValue(placed.asset, query, placed.plan, references, imports))
  if (module === 'cjs') return commonJsSource([['default', exported]])
  const head = module === 'url' && placed.files.size > 0 ? onSite : ''
  return `${importLines(imports)}${head}export default ${exported}\n`
}

/**
 * A server bundle isn't in the folder of the file, so a page would contain the URL of a local path that doesn't exist.
 * Without a bundler, Node reads the file in its original place.
 */
const onSite = `const onSite = (url, path) => {
  if (typeof document === 'object' || !url.startsWith('file:') || url.endsWith(path)) return url
  const problem = ' has no address in code that is bundled for a server. '
  throw new Error(path + problem + 'Run npx content-space pull with --module import.')
}
`

function address({ files }: PlacedAsset, file: FileDescriptor, module: PulledKind): Expression {
  const key = fileKey(file)
  const { path = '' } = files.get(key) ?? {}
  // Metro finds the other densities of a picture on its own.
  const name = module === 'react-native' ? path.replace(/@[\d.]+x(?=\.[^.]+$)/, '') : path
  const reference = fileReference(`./${posix.basename(name)}`, module, `file${[...files.keys()].indexOf(key)}`)
  if (module !== 'url') return reference
  return { code: `onSite(${reference.code}, ${literal(new URL(path, 'file:///').pathname)})` }
}

/** Spells out all types, because a pulled folder must not depend on this package. */
function declarationText(placed: PlacedAsset, { query, module }: FolderContents): string {
  // Metro replaces the `require` of a file with a number.
  const types = { full: fullMetadataType(), address: module === 'react-native' ? 'number' : 'string' }
  const type = assetType(placed.asset, query, placed.plan, types)
  const own = frameworkOf(query.as) === undefined ? type : ownTypes(type, placed)
  return `declare const asset: ${own}\nexport default asset\n`
}

function packageText(module: PulledKind): string {
  const manifest = {
    private: true,
    type: module === 'cjs' ? 'commonjs' : 'module',
    sideEffects: false,
    exports: { '.': { types: './index.d.ts', default: './index.js' }, './*': './*' },
  }
  return `${JSON.stringify(manifest, null, 2)}\n`
}
