import type { MagicString } from 'magic-string'
import { posix } from 'node:path'
import { sha256 } from './digest.js'

export type ScriptAddresses = ReturnType<typeof scriptAddresses>

/**
 * Writes URLs of files relative to a script of the output.
 *
 * In ES modules, they have the form that bundlers recognize in packages, so that bundlers copy the file and replace the
 * expression. Bundlers don't recognize any form in CommonJS. There, the expression makes a `file:` URL without
 * importing anything, so that bundlers for browsers can still build it.
 * @param fileName the path of the script in the output
 * @param format a format of Rollup or esbuild
 */
export function scriptAddresses(fileName: string, code: string, format: string) {
  const isClassic = format === 'iife' || format === 'umd'
  // Classic scripts of a page share variables, so the name is unique to the script. Copies of a script share the
  // variable, which is harmless, because the files that they refer to are copies too.
  const variable = isClassic ? `content_script_${sha256(fileName + code.replace(MARK, '')).slice(0, 8)}` : undefined
  let isUsed = false

  /** @param path relative to the script's folder, percent-encoded */
  function expression(path: string): string {
    isUsed = true
    // Without `./`, bundlers may mistake the first folder for the name of a package.
    const relative = JSON.stringify(/^\.\.?\//.test(path) ? path : `./${path}`)
    if (format === 'es' || format === 'esm') return `new URL(${relative}, import.meta.url).href`
    if (format === 'system') return `new URL(${relative}, module.meta.url).href`
    if (format === 'amd') return `new URL(require.toUrl(${relative}), ${BASE}).href`
    const page = `new URL(${relative}, ${variable ?? CURRENT_SCRIPT} || document.baseURI).href`
    const worker = `new URL(${relative}, location.href).href`
    const node = `new URL(${relative}, "file://" + __filename.replace(/[%?#]/g, encodeURIComponent)).href`
    if (format === 'cjs') return `(typeof __filename === "string" ? ${node} : ${page})`
    return `(typeof document === "object" ? ${page} : typeof location === "object" ? ${worker} : ${node})`
  }

  return {
    expression,
    /** @param file the path of the file in the output */
    of: (file: string): string => expression(encodePath(posix.relative(posix.dirname(fileName), file))),
    /** Adds the code to which the expressions refer. Called once, after all expressions have been written. */
    async complete(text: MagicString): Promise<void> {
      if (!isUsed) return
      if (format === 'amd') (await import('./amd-require.js')).addRequire(code, text)
      if (variable === undefined) return
      // `document.currentScript` isn't available in code that runs later, such as `import()` or an AMD factory, so save
      // it at the start.
      const start = DIRECTIVE.exec(code)?.[0].length ?? 0
      text.appendLeft(start, `var ${variable} = typeof document === "object" && ${CURRENT_SCRIPT};\n`)
    },
  }
}

/** Excluded from the digest, because marks differ between builds. */
const MARK = /__CONTENT_SPACE_[\da-f]{64}__END/g
const CURRENT_SCRIPT = 'document.currentScript && document.currentScript.src'
const BASE = 'typeof document === "object" ? document.baseURI : location.href'
const DIRECTIVE = /^\s*(["'])use strict\1;?\n?/

export function encodePath(path: string): string {
  return path.split('/').map(encodeURIComponent).join('/')
}
