import { existsSync } from 'node:fs'
import { extname, join } from 'node:path'
import glob from 'fast-glob'
import { readManifest, type Manifest } from '../../config/manifest.js'
import { ancestors } from '../../config/project.js'
import { readRegularFileSync } from '../../disk/read-file.js'
import {
  bundlerNames,
  companions,
  isFramework,
  pullNotes,
  toolOf,
  vitePlugins,
  withoutPlugins,
  type Bundler,
  type Tool,
} from './bundlers.js'

/** Instructions for agents, as in docs/agents.md. */
const forAgents =
  'Brand assets are imports of content-space: ids. Before you write one, look it up with the MCP server\n' +
  'content-space, or with `npx unplugin-content-space ls <kit> --search <words>`.\n' +
  'Names that these do not list do not exist.'

const vitestLines = "import contentSpace from 'unplugin-content-space/vite'\n\nplugins: [contentSpace()],"

// If this package isn't installed, npx would fetch an unrelated package by the shorter name.
const mcpServer = { command: 'npx', args: ['unplugin-content-space', 'mcp'] }

/** Where agents look for MCP servers, and the files that reveal which agents a project uses. */
const servers = [
  { config: '.mcp.json', key: 'mcpServers', sign: /^(?:\.mcp\.json$|CLAUDE\.md$|\.claude\/)/ },
  { config: '.cursor/mcp.json', key: 'mcpServers', sign: /^\.cursor\// },
  { config: '.vscode/mcp.json', key: 'servers', sign: /^\.vscode\/mcp\.json$/ },
]

/** `install` is the command that adds a package. `runner` runs a command of an installed package. */
const npm = { install: 'npm install --save-dev', runner: 'npx' }
const bun = { install: 'bun add --dev', runner: 'bunx' }

/** By the name of the package manager's lockfile. */
const managers: Readonly<Record<string, typeof npm>> = {
  'pnpm-lock.yaml': { install: 'pnpm add --save-dev', runner: 'pnpm exec' },
  'yarn.lock': { install: 'yarn add --dev', runner: 'yarn' },
  'bun.lock': bun,
  'bun.lockb': bun,
  'package-lock.json': npm,
}

function managerOf(root: string): typeof npm {
  for (const folder of ancestors(root)) {
    const found = Object.keys(managers).find((file) => existsSync(join(folder, file)))
    if (found !== undefined) return managers[found] ?? npm
    if (existsSync(join(folder, '.git'))) break
  }
  return npm
}

export type Project = Awaited<ReturnType<typeof detectProject>>

/**
 * Reads `package.json` and the names of configuration files and lockfiles. A dependency on a framework takes precedence
 * over a bundler's configuration file, which takes precedence over a dependency on a bundler.
 * @param requested the bundler that the user specified
 */
export async function detectProject(root: string, requested?: Bundler) {
  const patterns = ['*', 'src/main.*', '{,*/}.{vitepress,storybook}/*', '.{claude,cursor}/**', '.vscode/mcp.json']
  const files = await glob(patterns, { cwd: root, dot: true, suppressErrors: true })
  const { type, scripts = {}, packages = new Set() }: Partial<Manifest> = readManifest(root) ?? {}
  const findConfig = (name: string): string | undefined =>
    files.find((file) => /\.[cm]?[jt]sx?$/.test(file) && `/${file}`.includes(`/${name}.`))
  const configOf = (name: Bundler): string | undefined => findConfig(toolOf(name).config)
  const puller = withoutPlugins.find((name) => packages.has(name))
  // Vitest tests the pages of a framework but doesn't build them.
  const names = puller === undefined ? bundlerNames : bundlerNames.filter((name) => name !== 'vitest')
  const installed = names.filter((name) => packages.has(toolOf(name).package))
  const runsVite = Object.values(scripts).some((text) => /\bvite\b/.test(text))
  const withConfig = names.filter(
    (name) => !isFramework(name) && configOf(name) !== undefined && !(name === 'vitest' && runsVite),
  )
  const bundler = requested ?? installed.find(isFramework) ?? withConfig[0] ?? installed[0]
  const pulls = bundler === undefined && puller !== undefined
  // Vitest ignores vite.config unless its own configuration loads it.
  const vitestConfig = bundler === 'vitest' ? undefined : configOf('vitest')
  const { install, runner } = managerOf(root)
  const bundlerConfig = bundler && configOf(bundler)
  const typescript = files.includes('tsconfig.json') || packages.has('typescript')
  const tool: Tool | undefined = bundler && toolOf(bundler)
  // Follow the syntax of the existing configuration. If it doesn't exist, the user will write it.
  const textOf = (file: string | undefined): string =>
    file === undefined ? '' : readRegularFileSync(join(root, file)).toString()
  const text = textOf(bundlerConfig)
  const isAlone =
    vitestConfig !== undefined && !/unplugin-content-space|vite\.config|getViteConfig/.test(textOf(vitestConfig))
  const runners = companions.plugin.filter((one) => 'resolves' in one && packages.has(one.package))
  const isModule = /^(?:import|export)\b/m.test(text)
  const isWritten = !isModule && /\bmodule\.exports\b|\brequire\(/.test(text)
  const extension = extname(bundlerConfig ?? '') || (typescript ? '.ts' : '.js')
  const isByNode = extension === '.cjs' || (extension === '.js' && type !== 'module' && tool?.loadedByNode === true)
  return {
    bundler,
    /** The path of the configuration file of the bundler. */
    bundlerConfig,
    /** Whether the project builds pulled files, because its framework doesn't support plugins. */
    pulls,
    /** An additional step for a framework without plugins. */
    pullNote: pulls ? pullNotes[puller] : undefined,
    /** Whether a runtime or a test runner resolves imports, so that no bundler is needed. */
    runs: runners.length > 0,
    /** Tools that run beside the bundler, each with the path of its configuration file and the line to add. */
    companions: [
      ...companions[pulls ? 'pull' : 'plugin'].flatMap(({ package: name, config, line }) =>
        packages.has(name) ? [{ config: findConfig(config) ?? config, line }] : [],
      ),
      ...(isAlone && !pulls ? [{ config: vitestConfig, line: vitestLines }] : []),
      ...files.flatMap((config) => (config === 'AGENTS.md' ? [{ config, line: forAgents }] : [])),
      ...servers.flatMap(({ config, key, sign }) => {
        const isAdded = files.includes(config) && textOf(config).includes('"content-space"')
        const line = `{ "${key}": { "content-space": ${JSON.stringify(mcpServer)} } }`
        return !isAdded && files.some((file) => sign.test(file)) ? [{ config, line }] : []
      }),
    ],
    /**
     * The text of the bundler's configuration, or of `src/main`, whose style new files follow. Empty if neither exists.
     */
    styledAs: text || textOf(files.find((file) => /^src\/main\.[jt]sx?$/.test(file))),
    scripts,
    typescript,
    /** The framework of the component in the first import. */
    shows: (['react', 'vue'] as const).find((name) => packages.has(name)),
    /** Whether the bundler's configuration, the configuration to write, and the source are CommonJS. */
    isCommonJs: {
      bundlerConfig: isWritten || (isByNode && !isModule),
      config: !typescript && (type ?? (isWritten ? 'commonjs' : 'module')) === 'commonjs',
      source: !typescript && type === 'commonjs' && (tool?.readsType ?? tool === undefined),
    },
    /** Another plugin that a new Vite configuration needs. */
    vitePlugin: bundler === 'vite' ? vitePlugins.find(([name]) => packages.has(name)) : undefined,
    installCommand: install,
    runner,
    installed: packages.has('unplugin-content-space'),
  }
}
