import { existsSync } from 'node:fs'
import { extname, join } from 'node:path'
import glob from 'fast-glob'
import { readManifest } from '../../config/manifest.js'
import { ancestors } from '../../config/project.js'
import { readRegularFileSync } from '../../disk/read-file.js'
import { omitUndefined } from '../../text/omit-undefined.js'
import { bundlerNames, companions, toolOf, withoutPlugins, type Bundler, type Tool } from './bundlers.js'

/** Facts about a project, read from its files. */
export interface Project {
  bundler?: Bundler
  /** Path of the bundler's configuration file, if there is one. */
  bundlerConfig?: string
  /** Whether the project builds plain files, because its framework has no plugins. */
  pulls: boolean
  /** Tools beside the bundler, with the path of their configuration file, and the line to add to it. */
  companions: { config: string; line: string }[]
  /** The text of the bundler's configuration file, or of `src/main`, whose style new files have. Empty without them. */
  styledAs: string
  /** The scripts of `package.json`, by name. */
  scripts: Record<string, string>
  typescript: boolean
  /** Whether these are CommonJS: the configuration of the bundler, the one to write, and the source. */
  isCommonJs: { bundlerConfig: boolean; config: boolean; source: boolean }
  /** The command that adds a package. */
  installCommand: string
  /** What runs a command of an installed package: `npx`. */
  runner: string
  /** Whether this package is one of the dependencies. */
  installed: boolean
}

/** What agents should know, as in docs/agents.md. */
const forAgents =
  'Brand assets are imports of content-space: ids. Before you write one, look it up with the MCP server\n' +
  'content-space, or with `npx content-space ls <kit> --search <words>`. Names that these do not list do not exist.'

/** By the lockfile of the package manager. */
const managers: Readonly<Record<string, { install: string; runner: string }>> = {
  'pnpm-lock.yaml': { install: 'pnpm add --save-dev', runner: 'pnpm exec' },
  'yarn.lock': { install: 'yarn add --dev', runner: 'yarn' },
  'bun.lock': { install: 'bun add --dev', runner: 'bunx' },
  'bun.lockb': { install: 'bun add --dev', runner: 'bunx' },
  'package-lock.json': { install: 'npm install --save-dev', runner: 'npx' },
}

const npm = { install: 'npm install --save-dev', runner: 'npx' }

function managerOf(root: string): { install: string; runner: string } {
  for (const folder of ancestors(root)) {
    const found = Object.keys(managers).find((file) => existsSync(join(folder, file)))
    if (found !== undefined) return managers[found] ?? npm
    if (existsSync(join(folder, '.git'))) break
  }
  return npm
}

/**
 * Reads `package.json` and the names of configuration files and lockfiles. A dependency on a framework takes precedence
 * over a configuration file of a bundler, and this file over a dependency on a bundler.
 * @param requested the bundler that the user names
 */
export async function detectProject(root: string, requested?: Bundler): Promise<Project> {
  const files = await glob(['*', 'src/main.*', '{,*/}.{vitepress,storybook}/*'], { cwd: root, dot: true })
  const { type, scripts, packages } = readManifest(root) ?? { scripts: {}, packages: new Set<string>() }
  const findConfig = (name: string): string | undefined =>
    files.find((file) => /\.[cm]?[jt]sx?$/.test(file) && `/${file}`.includes(`/${name}.`))
  const configOf = (name: Bundler): string | undefined => findConfig(toolOf(name).config)
  const installed = bundlerNames.filter((name) => packages.has(toolOf(name).package))
  const withConfig = bundlerNames.filter((name) => !isFramework(name) && configOf(name) !== undefined)
  const bundler = requested ?? installed.find(isFramework) ?? withConfig[0] ?? installed[0]
  const pulls = bundler === undefined && withoutPlugins.some((name) => packages.has(name))
  const { install, runner } = managerOf(root)
  const bundlerConfig = bundler && configOf(bundler)
  const typescript = files.includes('tsconfig.json') || packages.has('typescript')
  const tool: Tool | undefined = bundler && toolOf(bundler)
  // A configuration that exists shows its syntax. Otherwise, the user writes one.
  const textOf = (file: string | undefined): string =>
    file === undefined ? '' : readRegularFileSync(join(root, file)).toString()
  const text = textOf(bundlerConfig)
  const isModule = /^(?:import|export)\b/m.test(text)
  const isWritten = !isModule && /\bmodule\.exports\b|\brequire\(/.test(text)
  const extension = extname(bundlerConfig ?? '') || (typescript ? '.ts' : '.js')
  const isByNode = extension === '.cjs' || (extension === '.js' && type !== 'module' && tool?.loadedByNode === true)
  return {
    ...omitUndefined({ bundler, bundlerConfig }),
    pulls,
    companions: [
      ...companions[pulls ? 'pull' : 'plugin'].flatMap(({ package: name, config, line }) =>
        packages.has(name) ? [{ config: findConfig(config) ?? config, line }] : [],
      ),
      ...files.flatMap((config) => (config === 'AGENTS.md' ? [{ config, line: forAgents }] : [])),
    ],
    styledAs: text || textOf(files.find((file) => /^src\/main\.[jt]sx?$/.test(file))),
    scripts,
    typescript,
    isCommonJs: {
      bundlerConfig: isWritten || (isByNode && !isModule),
      config: !typescript && (type ?? (isWritten ? 'commonjs' : 'module')) === 'commonjs',
      source: !typescript && type === 'commonjs' && (tool?.readsType ?? tool === undefined),
    },
    installCommand: install,
    runner,
    installed: packages.has('unplugin-content-space'),
  }
}

/** Frameworks have a line of their own, or use the entry of their bundler. */
function isFramework(name: Bundler): boolean {
  return toolOf(name).isFramework === true
}
