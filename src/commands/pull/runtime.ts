import { posix } from 'node:path'
import { runtimeFiles, runtimeOf, typesOf, type RuntimeName } from '../../components/runtimes.js'
import { frameworkOf } from '../../request/frameworks.js'
import type { Query } from '../../request/query.js'
import { checkRuntime, type PulledKind } from './module-kinds.js'
import type { PlacedAsset } from './layout.js'

/** The folder for the files that components need. Slugs never begin with `_`. */
const folder = '_runtime'

/**
 * Returns the files that components of a pulled kit need, by path: runtimes, and the framework's types.
 * @throws ContentSpaceError `invalidQuery` for components that can't be modules of this kind
 */
export async function runtimeTexts(
  placed: readonly PlacedAsset[],
  { as }: Query,
  module: PulledKind,
): Promise<ReadonlyMap<string, string>> {
  const framework = frameworkOf(as)
  const texts = new Map<string, string>()
  if (framework === undefined) return texts
  checkRuntime(framework, module)
  for (const name of new Set(placed.map(({ plan }) => runtimeOf(framework, plan)))) {
    for (const [file, text] of await runtimeFiles(name, module === 'cjs')) texts.set(`${folder}/${file}`, text)
  }
  texts.set(`${folder}/types.d.ts`, await typesOf(framework))
  return texts
}

/** Returns the specifier of a runtime, relative to the module of an asset. */
export function runtimeFrom({ stem }: PlacedAsset, name: RuntimeName): string {
  return `${pathFrom(stem)}/${name}.js`
}

/** Returns the type of a component without a reference to this package. */
export function ownTypes(type: string, { stem }: PlacedAsset): string {
  return type.replace(/(?<=^import\(')unplugin-content-space\/[a-z]+(?='\))/, `${pathFrom(stem)}/types.js`)
}

function pathFrom(stem: string): string {
  return posix.relative(posix.dirname(stem), folder)
}
