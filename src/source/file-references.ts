import { elementsOf, formOf, rangeOf } from './html.js'
import { nameOfBinding } from './reachable-names.js'
import { parseCode, walk } from './syntax.js'
import { omitUndefined } from '../text/omit-undefined.js'
import { hasOptions, scriptsOf, specifierOf } from './uses.js'

/** A place that refers to a file by path, and that could contain an id instead. */
export interface FileReference {
  /** As written, including its query: `./logo.svg?url`. */
  path: string
  /** `import` is the default import of a script, `style` is `url()`, and `page` is an HTML attribute. */
  kind: 'import' | 'style' | 'page'
  /** The variable of an import. */
  local?: string
  start: number
  end: number
}

const styleElement = /<style\b(?![^>]*\blang=)[^>]*>(?<body>[^]*?)<\/style>/gi

/** Elements that load files into the page, rather than link to other pages. */
const shown = /^(?:img|source|video|audio|link|image|use)$/

/** Finds the imports of a default export, `url()` in CSS, and attributes in HTML. */
export function fileReferences(code: string, file: string): FileReference[] {
  const isPage = /\.html?$/i.test(file)
  if (/\.(?:css|pcss|postcss)$/i.test(file)) return inStyle(code, 0)
  const styles = /\.(?:html?|vue|svelte|astro)$/i.test(file) ? [...code.matchAll(styleElement)] : []
  return [
    ...inScripts(code, file),
    ...styles.flatMap(({ 0: element, index, groups: { body = '' } = {} }) =>
      inStyle(body, index + element.indexOf('>') + 1),
    ),
    ...(isPage ? inPage(code) : []),
  ]
}

function inScripts(code: string, file: string): FileReference[] {
  return scriptsOf(code, file).flatMap((script) => {
    const program = parseCode(script.code, script.file)
    if (program?.type !== 'Program') return []
    const components = new Set(
      [...walk(program, [])].flatMap(([node]) => (node.type === 'JSXIdentifier' ? [node.name] : [])),
    )
    return program.body.flatMap((node): FileReference[] => {
      const path = specifierOf(node)
      if (path === undefined || !('source' in node) || !node.source || hasOptions(node)) return []
      const isDefault =
        node.type === 'ImportDeclaration'
          ? // A name that is used as an element, even in a template, may be a component.
            node.specifiers.every(
              ({ type, local: { name } }) =>
                type === 'ImportDefaultSpecifier' && !components.has(name) && !isElement(code, name),
            )
          : node.type === 'ExportNamedDeclaration' &&
            node.specifiers.every(({ local }) => nameOfBinding(local) === 'default')
      if (!isDefault || !('specifiers' in node) || node.specifiers.length === 0) return []
      const start = node.source.start + script.start
      const local = node.type === 'ImportDeclaration' ? node.specifiers[0]?.local.name : undefined
      const end = node.source.end + script.start - 1
      return [{ path, kind: 'import', start: start + 1, end, ...omitUndefined({ local }) }]
    })
  })
}

/** Returns whether a template contains an element with this name: `<AcmeLogo>` or `<acme-logo>`. */
function isElement(code: string, name: string): boolean {
  const hyphenated = name.replaceAll(/(?<=[a-z\d])[A-Z]/g, '-$&')
  return /^[A-Z]|[A-Z]/.test(name) && new RegExp(`<(?:${name}|${hyphenated})(?![\\w-])`, 'i').test(code)
}

function inStyle(code: string, offset: number): FileReference[] {
  const text = code.replaceAll(/\/\*[^]*?\*\//g, (comment) => ' '.repeat(comment.length))
  return [...text.matchAll(/\burl\(\s*(?:"([^"\n]+)"|'([^'\n]+)'|([^\s"'()]+))\s*\)/gi)].map((match) => {
    const path = match[1] ?? match[2] ?? match[3] ?? ''
    const start = offset + match.index + match[0].indexOf(path, 4)
    return { path, kind: 'style', start, end: start + path.length }
  })
}

function inPage(code: string): FileReference[] {
  const elements = [...elementsOf(code)].filter(({ attrs }) => attrs.every(({ name }) => name !== 'vite-ignore'))
  return elements.flatMap((element) =>
    element.attrs.flatMap(({ name, value }): FileReference[] => {
      const range = rangeOf(element, name)
      if (range === undefined || !shown.test(element.tagName) || formOf(element, name) !== 'address') return []
      const at = code.slice(range.startOffset, range.endOffset).lastIndexOf(value)
      // Skip a value with escaped characters, because it isn't found in the text.
      if (at === -1 || value === '') return []
      const start = range.startOffset + at
      return [{ path: value, kind: 'page', start, end: start + value.length }]
    }),
  )
}
