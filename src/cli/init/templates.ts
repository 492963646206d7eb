import { extname } from 'node:path'
import { escapeHidden, oneLine } from '../../text/display.js'
import type { Bundler, Project } from './detect.js'

/** A kit of the space, and an asset of it to begin with. */
export interface Sample {
  kit: { alias: string; uuid: string; name: string }
  /** The export name; absent: the kit holds no file. */
  asset?: string
}

/** What the space is reached by. */
export interface Access {
  /** Path of a folder: nothing of it is a secret. */
  folder?: string
  url?: string
  spaceId?: string
  token?: string
}

/** The configuration. Addresses and credentials are no part of it: they come from the environment. */
export function configText({ folder }: Access, sample: Sample | undefined): string {
  const kits = sample ? `{ ${keyOf(sample.kit.alias)}: ${quoted(sample.kit.uuid)} }` : '{}'
  const lines = [
    ...(folder === undefined ? [] : [`  space: ${quoted(folder)},`]),
    ...(sample ? [`  // ${oneLine(sample.kit.name)}`] : ["  // names of your own for kits: { brand: '<uuid>' }"]),
    `  kits: ${kits},`,
  ]
  return `import { defineConfig } from 'unplugin-content-space'\n\nexport default defineConfig({\n${lines.join('\n')}\n})\n`
}

/** A `.env` file; what is not known is left to fill in. */
export function environmentText({ url = '', spaceId = '', token = '' }: Access): string {
  const values = { CONTENT_SPACE_URL: url, CONTENT_SPACE_ID: spaceId, CONTENT_SPACE_TOKEN: token }
  return Object.entries(values)
    .map(([name, value]) => `${name}=${environmentValue(value)}\n`)
    .join('')
}

/** Bundlers whose configuration is loaded by Node alone, which takes `.js` for what `package.json` says. */
const plainNode: readonly Bundler[] = ['webpack', 'rspack', 'esbuild']

/** The lines that bring the plugin into the bundler's configuration. */
export function pluginText({ bundler, bundlerConfig = '', esm }: Project): string {
  const from = quoted(`unplugin-content-space/${bundler}`)
  const extension = extname(bundlerConfig)
  const common =
    extension === '.cjs' || (extension === '.js' && !esm && bundler !== undefined && plainNode.includes(bundler))
  const load = common ? `const contentSpace = require(${from})` : `import contentSpace from ${from}`
  return `${load}\n\nplugins: [contentSpace()],`
}

/** The first import. */
export function importText(sample: Sample | undefined): string {
  const { kit, asset } = sample ?? { kit: { alias: 'brand' }, asset: 'acmeLogo' }
  const from = quoted(`content-space:kit/${kit.alias}`)
  return asset === undefined
    ? `import kit from ${from}\n\nconsole.log(kit.name)`
    : `import { ${asset} } from ${from}\n\nconsole.log(${asset}.src)`
}

/** As dotenv reads it, with no `$` for dotenv-expand to expand. */
function environmentValue(value: string): string {
  if (/^[\w./:@%+=-]*$/.test(value)) return value
  const quote = ["'", '`', '"'].find((candidate) => !value.includes(candidate)) ?? ''
  return quote + value.replaceAll('$', '\\$') + quote
}

function keyOf(alias: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(alias) ? alias : quoted(alias)
}

function quoted(text: string): string {
  return `'${escapeHidden(JSON.stringify(text)).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`
}
