import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { readManifest } from '../../../config/manifest.js'
import { isObject, jsonObjectOf } from '../../../text/json.js'

/** Matches commands that neither build nor run the source, and don't resolve its imports. */
const harmless = new RegExp(
  `^(?:${[
    'prettier|oxfmt|biome|eslint|oxlint|stylelint|tsc|vue-tsc|svelte-check|svelte-kit sync|husky|lint-staged|rimraf|rm',
    'mkdir|echo|true|exit|serve|http-server|gh-pages|playwright|content-space|changeset|np',
    '(?:npm|pnpm|yarn|bun)(?: run)?|npm-run-all|npm-run-all2|run-s|run-p',
  ].join('|')})(?: |$)`,
)

/** Matches packages that resolve the imports of the source themselves. */
const resolvers = /^eslint-plugin-(?:import|import-x|import-lite|n|node)$/

/** Fields of `package.json` that expose files to other packages. */
const published = ['main', 'module', 'browser', 'exports', 'types', 'svelte', 'source', 'react-native', 'bin']

/**
 * Returns why something other than the bundler may read the source of a package, or undefined if nothing does.
 * @param builds the commands of the bundlers with a known configuration
 */
export function otherTools(folder: string, text: string, builds: readonly RegExp[]): string | undefined {
  const { scripts = {}, packages = new Set<string>() } = readManifest(folder) ?? {}
  const fields = jsonObjectOf(text) ?? {}
  const field = published.find((name) => isPublished(folder, fields[name]))
  if (field !== undefined) return `${field} in package.json exposes files to other packages`
  const resolver = [...packages].find((name) => resolvers.test(name))
  if (resolver !== undefined) return `${resolver} resolves imports itself`
  // `pnpm build` and `yarn build` run another script.
  const isScript = (one: string): boolean => Object.hasOwn(scripts, one)
  for (const [name, script] of Object.entries(scripts)) {
    const other = commandsOf(script).find(
      (one) => ![...builds, harmless].some((known) => known.test(one)) && !isScript(one),
    )
    if (other !== undefined)
      return `script ${name} in package.json runs \`${other}\`, which may read the source in another way`
  }
  return undefined
}

/** Returns whether a field exposes an existing file. In templates, `main` may refer to a missing file. */
function isPublished(folder: string, value: unknown): boolean {
  return typeof value === 'string' ? existsSync(join(folder, value)) : isObject(value)
}

/** Returns the commands of a script, without variable assignments and launchers. */
function commandsOf(script: string): string[] {
  return script
    .split(/&&|\|\||[;&|\n]/)
    .map((one) =>
      one
        .trim()
        .replace(/^(?:(?:cross-env|npx|bunx|pnpm exec|pnpm|yarn|\w+=[^\s"']*) +)+(?=[\w@.])/, '')
        .trim(),
    )
    .filter((one) => one !== '')
}
