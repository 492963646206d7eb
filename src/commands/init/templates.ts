import { escapeHidden, oneLine } from '../../text/display.js'
import { toolOf, type Bundler } from './bundlers.js'
import type { Project } from './detect.js'
import type { PluginEdit } from './edit-config.js'
import type { Script } from './script.js'

/** A kit of the space and one of its assets, for the first import. */
export interface Sample {
  kit: { alias: string; uuid: string; name: string }
  /** Undefined if the kit contains only data. */
  asset: SampleAsset | undefined
}

export interface SampleAsset {
  export: string
  name: string
  /** The export's name as a component, such as `AcmeLogo`. Undefined if the asset isn't a picture. */
  component: string | undefined
  isDrawing: boolean
}

export interface Access {
  /** Path of a folder. It can be part of the configuration, because it doesn't contain credentials. */
  folder?: string
  url?: string | undefined
  spaceId?: string | undefined
  token?: string | undefined
}

/** Returns the text of the configuration. A service's address and credentials come from the environment instead. */
export function configText(
  { folder }: Access,
  sample: Sample | undefined,
  { types, isCommonJs }: { types: string | undefined; isCommonJs: boolean },
): string {
  const kits = sample ? `{ ${keyOfAlias(sample.kit.alias)}: ${quoted(sample.kit.uuid)} }` : '{}'
  const lines = [
    ...(folder === undefined ? [] : [`  space: ${quoted(folder)},`]),
    ...(sample ? [`  // ${oneLine(sample.kit.name)}`] : ["  // aliases for kits: { brand: '<uuid>' }"]),
    `  kits: ${kits},`,
    ...(types === undefined ? [] : [`  types: ${quoted(types)},`]),
  ]
  const [load, write] = isCommonJs
    ? ["const { defineConfig } = require('unplugin-content-space')", 'module.exports =']
    : ["import { defineConfig } from 'unplugin-content-space'", 'export default']
  return `${load}\n\n${write} defineConfig({\n${lines.join('\n')}\n})\n`
}

/** Returns the environment variables for access to a space. Values that weren't given are undefined. */
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

/** Returns the lines that the user has to add to the bundler's configuration. */
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
 * Returns scripts for `package.json` that write types, or plain files, in a fresh clone and before `tsc` needs them.
 * They don't run on installation, because they would fail without development dependencies, credentials or a network.
 * @returns an empty list if existing scripts run the commands, or if the project doesn't use types
 */
export function cloneScripts(project: Project, kit: string): Script[] {
  const { bundler, scripts, typescript, pulls } = project
  const commands = pulls ? [pullCommand(kit)] : typesCommands(bundler)
  const missing = commands.filter((command) => !Object.values(scripts).some((text) => text.includes(command)))
  if (!(typescript || pulls) || missing.length === 0) return []
  const before = (text: string): string => [...missing, text].join(' && ')
  const checks = pulls ? [] : Object.entries(scripts).filter(([, text]) => checksTypes.test(text))
  if (checks.length > 0) return checks.map(([name, text]) => ({ name, command: before(text) }))
  const name = pulls ? 'content' : 'types'
  const text = scripts[name]
  return [{ name, command: text === undefined ? missing.join(' && ') : before(text) }]
}

/**
 * Matches a script that begins with a compiler. A compiler reads declarations even when it writes the declarations of a
 * library.
 */
const checksTypes = /^(?:(?:npx|bunx|yarn|pnpm exec) )?(?:tsc|vue-tsc|tsgo|tsdown|tsup|rslib)\b/

export function pullCommand(kit: string): string {
  return `content-space pull ${kit} --out src/content`
}

export function typesCommands(bundler: Bundler | undefined): readonly string[] {
  return (bundler && toolOf(bundler).types) ?? ['content-space sync']
}

/** Returns a first import for the source, in the form in which the project's framework renders a picture. */
export function importText(kit: string, asset: Sample['asset'], { isCommonJs, pulls, shows }: Project): string {
  const from = quoted(pulls ? './content/index.js' : `content-space:kit/${kit}`)
  if (asset?.component !== undefined && shows !== undefined && !pulls) {
    const load = `import { ${asset.component} } from ${quoted(`content-space:kit/${kit}?as=${shows}`)}`
    const element = `<${asset.component} ${asset.isDrawing ? 'title' : 'alt'}=${JSON.stringify(oneLine(asset.name))} />`
    return shows === 'vue'
      ? `<script setup>\n${load}\n</script>\n\n<template>${element}</template>`
      : `${load}\n\nexport const Logo = () => ${element}`
  }
  const [name, use] = asset === undefined ? ['kit', 'kit.name'] : [`{ ${asset.export} }`, `${asset.export}.src`]
  const load = `require(${from})${asset === undefined ? '.default' : ''}`
  return `${isCommonJs.source ? `const ${name} = ${load}` : `import ${name} from ${from}`}\n\nconsole.log(${use})`
}

function keyOfAlias(alias: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(alias) ? alias : quoted(alias)
}

function quoted(text: string): string {
  return `'${escapeHidden(JSON.stringify(text)).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`
}
