import { posix } from 'node:path'
import { elementsOf, rangeOf } from '../../../source/html.js'
import { parseCode, walk } from '../../../source/syntax.js'
import { hasOptions, isTypeOnly, scriptsOf, sourceOfImport, specifierOf } from '../../../source/uses.js'

/** A path in a file that refers to another file. */
export interface Link {
  target: string
  /** Whether the path makes a bundler build the target. Otherwise, the target may be used in any way. */
  builds: boolean
  start: number
  end: number
}

interface Resolver {
  /** Returns the file that a path in another file points to. */
  resolve(this: void, path: string, from: string): string | undefined
  /** Returns the location that a path points to, whether or not the file exists. Returns undefined for a package. */
  place(this: void, path: string, from: string): string | undefined
  files: ReadonlySet<string>
}

const extensions = ['js', 'jsx', 'ts', 'tsx', 'mjs', 'mts', 'cjs', 'cts', 'vue', 'svelte', 'css', 'json']

/**
 * Creates a function that resolves paths to existing files, as bundlers do.
 * @param folder the bundler's folder, where absolute paths start
 * @param aliases folders relative to `folder`, by path prefix
 */
export function resolver(files: ReadonlySet<string>, folder: string, aliases: ReadonlyMap<string, string>): Resolver {
  const place = (path: string, from: string): string | undefined => {
    if (/^\.\.?(?:\/|$)/.test(path)) return posix.join(posix.dirname(from), path)
    if (path.startsWith('/')) return posix.join(folder, path)
    for (const [name, target] of aliases)
      if (path.startsWith(`${name.replace(/\/$/, '')}/`))
        return posix.join(folder, target, path.slice(name.replace(/\/$/, '').length))
    return undefined
  }
  const resolve = (path: string, from: string): string | undefined => {
    const base = place(path.replace(/[?#].*$/s, ''), from)
    if (base === undefined) return undefined
    // TypeScript imports use the names of the compiled files.
    const typed = base.replace(/\.([cm]?)js(x?)$/, '.$1ts$2')
    const names = [base, typed, ...extensions.flatMap((one) => [`${base}.${one}`, posix.join(base, `index.${one}`)])]
    return names.find((name) => files.has(name))
  }
  return { resolve, place, files }
}

/** Finds the paths in a file's text that point to other files. */
export function linksOf(text: string, file: string, { resolve, ...paths }: Resolver): Link[] {
  const found: { path: string; start: number; end: number }[] = [
    ...(isStyle(file) ? importsOfStyle(text, 0) : importsOfScripts(text, file)),
    ...(/\.html?$/i.test(file) ? importsOfPage(text) : []),
    ...(/\.(?:vue|svelte)$/i.test(file) ? importsOfStyle(text, 0) : []),
  ]
  const links = found.flatMap(({ path, start, end }): Link[] => {
    const target = resolve(path, file)
    return target === undefined ? [] : [{ target, builds: !/[?#]/.test(path), start, end }]
  })
  const starts = new Set(links.map(({ start }) => start))
  for (const match of text.matchAll(/(["'`])((?:\.{1,2}\/|[@~]\w*\/|\/)[^"'`\n<>{}]{1,255})\1/g)) {
    const { 2: path = '', index } = match
    const target = starts.has(index + 1) ? undefined : resolve(path, file)
    if (target !== undefined) links.push({ target, builds: false, start: index + 1, end: index + 1 + path.length })
  }
  return [...links, ...patternsIn(text, file, paths)]
}

const patternCall =
  /\b(?:import\.meta\.(glob|globEager|webpackContext)|require\.context)\s*(?:<[^>()]{0,99}>)?\(([^)]{0,999})/g

/** Finds the files that calls such as `import.meta.glob('./pages/*.vue')` import. */
function patternsIn(text: string, file: string, { place, files }: Omit<Resolver, 'resolve'>): Link[] {
  return [...text.matchAll(patternCall)].flatMap(({ index: start, 1: kind, 2: args = '' }) => {
    const [, only] = /^\s*["']([^"']+)["']\s*(?:,\s*\{\s*eager:\s*true\s*\}\s*)?,?\s*$/.exec(args) ?? []
    // Without options, a bundler builds the matching files. Otherwise, the call may use any file below the folder.
    const builds = kind === 'glob' && only !== undefined && /^[^?![\]()]*$/.test(only)
    const given = [...args.matchAll(/["'`]!?([./@~][^"'`\n]*)["'`]/g)].map(([, path = '']) => path)
    const patterns = given.length > 0 ? given : ['./']
    return patterns.flatMap((pattern) => {
      const whole = place(pattern, file)
      const isMeant = whole === undefined ? () => true : builds ? matcherOf(whole) : isBelow(whole)
      const targets = [...files].filter((one) => one !== file && isMeant(one))
      return targets.map((target) => ({ target, builds: builds && whole !== undefined, start, end: start }))
    })
  })
}

function isBelow(pattern: string): (file: string) => boolean {
  const folder = pattern.replace(/[^/]*[*{?![(].*$/s, '').replace(/\/$/, '')
  return (file) => folder === '' || folder === '.' || file.startsWith(`${folder}/`)
}

/** Returns whether a path matches a pattern with `*`, `**` and `{a,b}`. */
function matcherOf(pattern: string): (file: string) => boolean {
  const parts: Readonly<Record<string, string>> = {
    '**/': '(?:.*/)?',
    '**': '.*',
    '*': '[^/]*',
    '{': '(?:',
    ',': '|',
    '}': ')',
  }
  const text = pattern.replaceAll(/\*\*\/|\*\*|[*{,}]|[.+^$|\\]/g, (one) => parts[one] ?? `\\${one}`)
  const expression = new RegExp(`^${text}$`)
  return (file) => expression.test(file)
}

function isStyle(file: string): boolean {
  return /\.(?:css|pcss|postcss|less|s[ac]ss|styl)$/i.test(file)
}

function importsOfScripts(text: string, file: string) {
  return scriptsOf(text, file).flatMap((script) => {
    const program = parseCode(script.code, script.file)
    if (program === undefined) return []
    return [...walk(program, [])].flatMap(([node]) => {
      const [path, source] = [specifierOf(node), sourceOfImport(node)]
      if (path === undefined || source?.type !== 'Literal' || isTypeOnly(node) || hasOptions(node)) return []
      return [{ path, start: source.start + script.start + 1, end: source.end + script.start - 1 }]
    })
  })
}

function importsOfStyle(text: string, offset: number) {
  const plain = text.replaceAll(/\/\*[^]*?\*\//g, (comment) => ' '.repeat(comment.length))
  return [...plain.matchAll(/@import\s+(?:url\(\s*)?(["'])([^"'\n]+)\1/g)].map((match) => {
    const path = match[2] ?? ''
    const start = offset + match.index + match[0].lastIndexOf(path)
    // Style sheets may refer to each other without `./`.
    return {
      path: /^[.\w][^:]*$/.test(path) ? path.replace(/^(?!\.\.?\/)/, './') : path,
      start,
      end: start + path.length,
    }
  })
}

function importsOfPage(text: string) {
  return [...elementsOf(text)].flatMap((element) => {
    const attribute = { script: 'src', link: 'href' }[element.tagName]
    const value = element.attrs.find(({ name }) => name === attribute)?.value
    const range = attribute === undefined ? undefined : rangeOf(element, attribute)
    const isBuilt = element.attrs.some(({ name, value: is }) => is === (name === 'type' ? 'module' : 'stylesheet'))
    const isIgnored = element.attrs.some(({ name }) => name === 'vite-ignore')
    if (value === undefined || range === undefined || !isBuilt || isIgnored) return []
    const start = range.startOffset + text.slice(range.startOffset, range.endOffset).lastIndexOf(value)
    return [{ path: /^[./]/.test(value) ? value : `./${value}`, start, end: start + value.length }]
  })
}
