/**
 * Returns an expression that resolves a path against the address of the running script.
 *
 * In ES modules, it has the form that bundlers look for in packages: they copy the file, and replace the expression.
 * CommonJS lacks such a form. There, the address is a `file:` URL, and the expression imports nothing, so bundlers for
 * browsers can still build it.
 * @param path from the folder of the script, percent-encoded
 * @param format a format of Rollup or esbuild
 */
export function relativeUrl(path: string, format: string): string {
  // Without `./`, bundlers may take the first folder for the name of a package.
  const relative = JSON.stringify(/^\.\.?\//.test(path) ? path : `./${path}`)
  if (format === 'es' || format === 'esm') return `new URL(${relative}, import.meta.url).href`
  if (format === 'system') return `new URL(${relative}, module.meta.url).href`
  const page = `new URL(${relative}, document.currentScript && document.currentScript.src || document.baseURI).href`
  const worker = `new URL(${relative}, location.href).href`
  const node = `new URL(${relative}, "file://" + __filename.replace(/[%?#]/g, encodeURIComponent)).href`
  if (format === 'cjs') return `(typeof __filename === "string" ? ${node} : ${page})`
  return `(typeof document === "object" ? ${page} : typeof location === "object" ? ${worker} : ${node})`
}
