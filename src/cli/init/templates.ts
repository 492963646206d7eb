import { escapeHidden, oneLine } from '../../text/display.js'
import { toolOf, type Bundler } from './bundlers.js'
import type { Project } from './detect.js'
import type { PluginEdit } from './edit-config.js'
import type { Script } from './script.js'

/** A kit of the space and one of its assets, for the first import. */
export interface Sample {
  kit: { alias: string; uuid: string; name: string }
  /** Export name of the asset. Undefined if the kit has no files. */
  asset: string | undefined
}

export interface Access {
  /** Path of a folder. It contains no credentials, so it can be part of the configuration. */
  folder?: string
  url?: string | undefined
  spaceId?: string | undefined
  token?: string | undefined
}

/** Returns the text of the configuration. The address and the credentials of a service come from the environment. */
export function configText({ folder }: Access, sample: Sample | undefined, isCommonJs: boolean): string {
  const kits = sample ? `{ ${keyOf(sample.kit.alias)}: ${quoted(sample.kit.uuid)} }` : '{}'
  const lines = [
    ...(folder === undefined ? [] : [`  space: ${quoted(folder)},`]),
    ...(sample ? [`  // ${oneLine(sample.kit.name)}`] : ["  // aliases for kits: { brand: '<uuid>' }"]),
    `  kits: ${kits},`,
  ]
  const [load, write] = isCommonJs
    ? ["const { defineConfig } = require('unplugin-content-space')", 'module.exports =']
    : ["import { defineConfig } from 'unplugin-content-space'", 'export default']
  return `${load}\n\n${write} defineConfig({\n${lines.join('\n')}\n})\n`
}

/** Returns the variables of the environment for an access. Values that are not given are undefined. */
export function variablesOf({ url, spaceId, token }: Access): Record<string, string | undefined> {
  return { CONTENT_SPACE_URL: url, CONTENT_SPACE_ID: spaceId, CONTENT_SPACE_TOKEN: token }
}

/** Returns a line of an `.env` file. Quotes the value for dotenv, and escapes `$` for dotenv-expand. */
export function variableLine(name: string, value: string): string {
  if (/^[\w./:@%+=-]*$/.test(value)) return `${name}=${value}`
  const quote = ["'", '`', '"'].find((candidate) => !value.includes(candidate)) ?? ''
  return `${name}=${quote}${value.replaceAll('$', '\\$')}${quote}`
}

export function pluginEdit(
  bundler: Bundler,
  { isCommonJs, vitePlugin }: Pick<Project, 'isCommonJs' | 'vitePlugin'>,
): PluginEdit {
  const { entry = bundler, import: named, named: isNamed, path = ['plugins'], wraps = false } = toolOf(bundler)
  const from = quoted(`unplugin-content-space/${entry}`)
  const name = named ?? 'contentSpace'
  const place = { path, wraps, value: isNamed ? from : wraps ? name : `${name}()` }
  if (isNamed) return place
  const imported = named === undefined ? name : `{ ${name} }`
  return {
    ...place,
    ...(vitePlugin && { beside: vitePlugin }),
    load: isCommonJs.bundlerConfig ? `const ${name} = require(${from})` : `import ${imported} from ${from}`,
  }
}

/** Returns the lines to add to the configuration of the bundler, for a user who adds them. */
export function pluginText({ load, path, value, wraps }: PluginEdit): string {
  const [first, ...rest] = path.toReversed()
  const list = rest.reduce((inner, key) => `${key}: { ${inner} }`, `${first}: [${value}]`)
  const exporting = load?.startsWith('const') ? 'module.exports =' : 'export default'
  return [...(load === undefined ? [] : [load]), wraps ? `${exporting} ${value}(nextConfig)` : `${list},`].join('\n\n')
}

export function newConfigText({ load, value, beside }: PluginEdit): string {
  const [first, call] = beside ? [`import ${beside[1]} from '${beside[0]}'\n`, `${beside[1]}(), `] : ['', '']
  return `${first}${load}\n\nexport default {\n  plugins: [${call}${value}],\n}\n`
}

/**
 * Returns the script of `package.json` that writes types, or plain files, in a fresh clone. No installation runs it:
 * that would fail without development dependencies, credentials or a network.
 * @returns undefined if scripts run its commands, or the project has no types
 */
export function cloneScript(project: Project, kit: string): Script | undefined {
  const { bundler, scripts, typescript, pulls } = project
  const name = pulls ? 'content' : 'types'
  const commands = pulls ? [pullCommand(kit)] : typesCommands(bundler)
  const missing = commands.filter((command) => !Object.values(scripts).some((text) => text.includes(command)))
  if (!(typescript || pulls) || missing.length === 0) return undefined
  return { name, command: [missing, scripts[name] ?? []].flat().join(' && ') }
}

export function pullCommand(kit: string): string {
  return `content-space pull ${kit} --out src/content`
}

export function typesCommands(bundler: Bundler | undefined): readonly string[] {
  return (bundler && toolOf(bundler).types) ?? ['content-space sync']
}

/**
 * Returns a first import for the source.
 * @param asset the export to import. Default: the kit itself.
 */
export function importText(kit: string, asset: string | undefined, { isCommonJs, pulls }: Project): string {
  const from = quoted(pulls ? './content/index.js' : `content-space:kit/${kit}`)
  const [name, use] = asset === undefined ? ['kit', 'kit.name'] : [`{ ${asset} }`, `${asset}.src`]
  const load = `require(${from})${asset === undefined ? '.default' : ''}`
  return `${isCommonJs.source ? `const ${name} = ${load}` : `import ${name} from ${from}`}\n\nconsole.log(${use})`
}

function keyOf(alias: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(alias) ? alias : quoted(alias)
}

function quoted(text: string): string {
  return `'${escapeHidden(JSON.stringify(text)).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`
}
