import { existsSync, statSync } from 'node:fs'
import { readdir, realpath } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join, relative, resolve, sep } from 'node:path'
import { createFilesMatcher, createPathsMatcher, parseTsconfig } from 'get-tsconfig'
import { attempt } from '../../async/attempt.js'
import { ancestors, foldersOf } from '../../config/project.js'
import { defaultTypes } from '../../config/resolve.js'
import { readText } from '../../disk/replace-file.js'
import type { Engine } from '../../engine/engine.js'
import { frameworkPackages, frameworks } from '../../request/frameworks.js'
import { findFiles } from '../../source/find-files.js'
import { scanSources } from '../../source/scan.js'
import { groupBy } from '../../text/group-by.js'
import { reaches } from './import-chain.js'

/** The declarations of a project, as absolute paths. */
interface Declarations {
  root: string
  types: string
}

interface Tsconfig {
  path: string
  include: readonly string[]
  has: (file: string) => boolean
  /** Returns the paths to which the compiler option `paths` maps an import. */
  pathsOf: (specifier: string) => string[]
}

const own = 'unplugin-content-space'

/**
 * Returns what hides a project's declarations from TypeScript, and what to do about it. TypeScript itself doesn't
 * report this, because imports then have the type `any`.
 */
export async function hiddenTypes({ options, derived }: Engine): Promise<string[]> {
  const { root, types, scan } = options
  if (types === false || !existsSync(types)) return []
  const uses = await scanSources(root, scan, derived)
  const files = uses.map(({ file }) => resolve(root, file))
  const findSources = async () => new Set((await findFiles(root, scan)).values())
  const { hasTypeScript, reasons } = await hiddenFrom(files, { root, types }, findSources)
  const isDoubled = types === join(root, 'src/content-space.d.ts') && existsSync(join(root, 'content-space.d.ts'))
  return [
    ...reasons,
    ...(hasTypeScript ? await missingPackages({ root, types }) : []),
    ...(isDoubled ? ['content-space.d.ts was written before src existed, and is no longer updated. Remove it.'] : []),
  ]
}

/**
 * Finds tsconfigs that don't include the declarations, although they include a file of the source or, like a tsconfig
 * for tests, a file that imports one.
 * @param files absolute paths of files that import content or may do so
 */
async function hiddenFrom(
  files: readonly string[],
  declarations: Declarations,
  findSources = async () => new Set<string>(),
) {
  const { root, types } = declarations
  const folders = await Promise.all(
    [...groupBy(files, (file) => folderOfTsconfig(file, root))].map(async ([folder, inside]) => {
      const configs = await readTsconfigs(folder)
      const using = configs.filter(({ has }) => inside.some((file) => has(file) || has(`${file}.ts`)))
      return { configs, using: using.length > 0 || configs.some(({ has }) => has(types)) ? using : configs.slice(0, 1) }
    }),
  )
  const blind = new Set(folders.flatMap(({ using }) => using.filter(({ has }) => !has(types))))
  const others = folders.flatMap(({ configs, using }) =>
    configs.filter((config) => !using.includes(config) && !config.has(types)),
  )
  if (others.length > 0) {
    const sources = await findSources()
    for (const config of others) {
      const start = [...sources].filter((file) => config.has(file))
      if (await reaches(start, new Set(files), { files: sources, pathsOf: config.pathsOf })) blind.add(config)
    }
  }
  return {
    hasTypeScript: folders.some(({ configs }) => configs.length > 0),
    reasons: [...blind].map((config) => notIncluded(config, declarations)),
  }
}

/** Finds problems that would hide declarations from a folder that doesn't import content yet. */
export async function hiddenFromFolder(folder: string, declarations: Declarations): Promise<string[]> {
  return (await hiddenFrom([join(folder, 'index.ts')], declarations)).reasons
}

/**
 * Returns a path for the declarations that a tsconfig of the project includes, if none includes the default path.
 * @returns relative to the root; undefined for the default path
 */
export async function visiblePlace(root: string): Promise<string | undefined> {
  const usual = join(root, defaultTypes(root))
  const configs = await readTsconfigs(root)
  if (configs.some(({ has }) => has(usual))) return undefined
  // By convention, tsconfig.node.json is for the configuration of tools or for Electron's main process.
  const places = configs.flatMap(({ path, include, has }) =>
    include.flatMap((pattern) => {
      const folder = resolve(dirname(path), /^[^*?]*(?=\/|$)/.exec(pattern)?.[0] ?? '')
      const file = join(folder, 'content-space.d.ts')
      return !path.endsWith('.node.json') && folder.startsWith(root + sep) && has(file) ? [file] : []
    }),
  )
  const place = places.find((file) => statSync(dirname(file), { throwIfNoEntry: false })?.isDirectory())
  return place && slashed(relative(root, place))
}

/** Returns the nearest folder with a `tsconfig.json`, because editors use that one for a file. */
function folderOfTsconfig(file: string, root: string): string {
  const top = foldersOf(root).at(-1) ?? root
  const inside = ancestors(dirname(file)).filter((folder) => !relative(top, folder).startsWith('..'))
  return inside.find((folder) => existsSync(join(folder, 'tsconfig.json'))) ?? root
}

/**
 * Reads each `tsconfig*.json` of a folder, because each environment may have its own. Also reads the tsconfigs that
 * these files refer to.
 */
async function readTsconfigs(folder: string): Promise<Tsconfig[]> {
  const names = (await readdir(folder).catch(() => [])).filter((name) => /^tsconfig.*\.json$/.test(name))
  const paths = new Set(names.toSorted().map((name) => join(folder, name)))
  const read: Tsconfig[] = []
  for (const path of paths) {
    const config = attempt(() => parseTsconfig(path))
    if (config === undefined) continue
    for (const { path: reference } of config.references ?? []) {
      const target = resolve(folder, reference)
      paths.add(target.endsWith('.json') ? target : join(target, 'tsconfig.json'))
    }
    const { include, files } = config
    // Some tsconfigs only refer to others.
    if (include === undefined && files?.length === 0) continue
    const matches = createFilesMatcher({ path, config })
    const pathsOf = createPathsMatcher({ path, config }) ?? (() => [])
    read.push({ path, include: include ?? files ?? ['**/*'], has: (file) => matches(file) !== undefined, pathsOf })
  }
  return read
}

function notIncluded({ path, include }: Tsconfig, { root, types }: Declarations): string {
  const needed = slashed(relative(dirname(path), types))
  const list = [...include, needed].map((pattern) => JSON.stringify(pattern)).join(', ')
  const how = `Set "include": [${list}], or move the file with option types.`
  return `${slashed(relative(root, path))} does not include ${needed}, so imports have the type any. ${how}`
}

/** Finds packages that TypeScript can't resolve from the location of the declarations. */
async function missingPackages({ root, types }: Declarations): Promise<string[]> {
  const name = slashed(relative(root, types))
  const folder = installedFolder(own, dirname(types))
  if (folder === undefined)
    return [
      `${name} takes types from ${own}, which is not installed in its folder or above, so imports have the type any. ` +
        'Install the package there, or let option types name a path in a package that has it.',
    ]
  const text = (await readText(types)) ?? ''
  const real = await realpath(folder)
  return frameworks.flatMap((framework) => {
    const needed = framework === 'react' ? '@types/react' : frameworkPackages[framework][0]
    const isUsed = text.includes(`${own}/client/${framework}"`)
    if (!isUsed || installedFolder(needed, real) !== undefined) return []
    return [
      `${own} finds no types of ${needed}, so components in ${name} have the type any. ` +
        `Install ${needed} in the package that has ${own}.`,
    ]
  })
}

/**
 * Finds a package as compilers do. Doesn't use Node's resolution, because Node also looks in `NODE_PATH`, which pnpm's
 * commands set.
 */
function installedFolder(name: string, from: string): string | undefined {
  if (process.versions['pnp'] !== undefined)
    return attempt(() => dirname(createRequire(join(from, 'file.js')).resolve(`${name}/package.json`)))
  const folders = ancestors(from).map((folder) => join(folder, 'node_modules', name))
  return folders.find((folder) => existsSync(join(folder, 'package.json')))
}

const slashed = (path: string): string => path.replaceAll('\\', '/')
