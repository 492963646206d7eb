import { keyName, nameOfBinding } from './reachable-names.js'
import { childrenOf, walk, type Node } from './syntax.js'

/** A place where an id remains text: the language, and the attribute or property, if any. */
export interface Place {
  language: 'astro' | 'jsx' | 'script' | 'svelte' | 'vue'
  attribute?: string
}

/** An id in one of these places, with its offset. */
export interface MisplacedId {
  specifier: string
  start: number
  place: Place
}

/** Matches an id that is a whole value, or an address in CSS or HTML text. */
const kinds = String.raw`content-space:[\w-]+`
const whole = new RegExp(String.raw`^\s*(${kinds}[^\s,"'<>]*)`)
const inside = new RegExp(
  String.raw`\burl\(\s*\\?["']?(${kinds}[^\s"'\\)]*)|\b(?:src|srcset|href|poster)=\\?["'](${kinds}[^\s"'\\>]*)`,
)

/** Attributes with text, including attributes of components that display code. */
const textual = /^(?:alt|title|value|placeholder|label|summary|aria-.*|children|code|text|name|key|id|specifier)$/
/** Properties with an address as their value, or with text that contains addresses. */
const addresses = matcher(
  'src srcset href xlinkHref xlink:href poster content background backgroundImage background-image mask maskImage',
  'listStyleImage borderImage cursor cssText innerHTML outerHTML __html',
)
/** Properties of data that pages render. */
const pictures = /^(?:icon|image|img|logo|picture|photo|avatar|cover|thumbnail)$/i
const makesElement = /^(?:createElement|h|_?jsxs?|_?jsxDEV)$/
const writesPage = /^(?:setAttribute|setAttributeNS|insertAdjacentHTML|write|writeln|insertRule|setProperty)$/
/** Packages that turn templates into HTML or CSS at run time. */
const runtimes =
  /^(?:lit|lit-element|lit-html|htm|uhtml|goober|styled-components|hono\/html|@emotion\/.*|@lit\/.*)(?:\/.*)?$/

/** Returns the ids in a script that remain text although the page needs an address. Ignores imports. */
export function misplacedInScript(program: Node, file: string, shown: ReadonlySet<string> = new Set()): MisplacedId[] {
  const names = new Set([...shown, ...shownNames(program)])
  const tags = runtimeTags(program)
  const isStyleSheet = /\.css\.[cm]?[jt]sx?$/.test(file)
  return [...walk(program, [])].flatMap(([node, ancestors]) => {
    const text = textOfNode(node)
    if (!text?.includes('content-space:')) return []
    const id = whole.exec(text)?.[1]
    const part = inside.exec(text)
    const specifier = id ?? part?.[1] ?? part?.[2]
    if (specifier === undefined) return []
    const end = endOf(node, ancestors)
    const place = placeOfEnd(end, id === undefined, names, tags)
    return place === undefined || (isStyleSheet && place.language === 'script')
      ? []
      : [{ specifier, start: node.start, place }]
  })
}

/** Returns the text of a string or a template. Parts that are known only at run time are written as `${…}`. */
function textOfNode(node: Node): string | undefined {
  if (node.type === 'Literal') return typeof node.value === 'string' ? node.value : undefined
  return node.type === 'TemplateLiteral'
    ? node.quasis.map(({ value }) => value.cooked ?? value.raw).join('${…}')
    : undefined
}

/** The place that receives the value of an expression. */
interface End {
  node: Node | undefined
  /** The child node through which the value reaches it. */
  child: Node
  /** The innermost object property that contains the value. */
  property?: string | undefined
}

const passing = matcher(
  'TemplateLiteral ConditionalExpression LogicalExpression BinaryExpression JSXExpressionContainer ObjectExpression',
  'ArrayExpression SpreadElement TSAsExpression TSSatisfiesExpression TSNonNullExpression',
)

/** Returns an expression that matches the words in lists, ignoring case. */
function matcher(...lists: readonly string[]): RegExp {
  return new RegExp(`^(?:${lists.join(' ').replaceAll(' ', '|')})$`, 'i')
}

function endOf(node: Node, ancestors: readonly Node[]): End {
  let child = node
  let property: string | undefined
  for (const ancestor of ancestors) {
    if (ancestor.type === 'Property' && ancestor.value === child) property ??= keyName(ancestor.key, ancestor.computed)
    else if (!passing.test(ancestor.type) || ('test' in ancestor && ancestor.test === child))
      return { node: ancestor, child, property }
    child = ancestor
  }
  return { node: undefined, child, property }
}

/** @param isText whether the id is part of CSS or HTML text */
function placeOfEnd(
  { node, child, property }: End,
  isText: boolean,
  names: ReadonlySet<string>,
  tags: ReadonlySet<string>,
): Place | undefined {
  const script = (attribute = property): Place => ({ language: 'script', ...(attribute && { attribute }) })
  const isAddress = property !== undefined && (addresses.test(property) || (!isText && pictures.test(property)))
  switch (node?.type) {
    case 'JSXAttribute': {
      const name = node.name.type === 'JSXIdentifier' ? node.name.name : `xlink:${node.name.name.name}`
      return textual.test(name) ? undefined : { language: 'jsx', attribute: name }
    }
    case 'JSXElement': {
      const { name } = node.openingElement
      const isStyle = name.type === 'JSXIdentifier' && name.name === 'style'
      return isStyle ? { language: 'jsx', attribute: 'style' } : undefined
    }
    case 'CallExpression': {
      const name = calleeOf(node)
      if (node.callee === child || name === undefined) return undefined
      if (makesElement.test(name)) return property === undefined || textual.test(property) ? undefined : script()
      return writesPage.test(name) || (isAddress && !/^(?:to[A-Z]|expect)/.test(name)) ? script() : undefined
    }
    case 'AssignmentExpression': {
      const target = node.left
      if (target.type === 'Identifier') return isText || names.has(target.name) ? script() : undefined
      if (target.type !== 'MemberExpression') return undefined
      const name = keyName(target.property, target.computed)
      const isShown = isText || isAddress || (name !== undefined && addresses.test(name))
      return isShown ? script(property ?? name) : undefined
    }
    case 'TaggedTemplateExpression':
      return tags.has(rootName(node.tag) ?? '') ? script() : undefined
    case 'VariableDeclarator':
      return isText || isAddress || (node.id.type === 'Identifier' && names.has(node.id.name)) ? script() : undefined
    case 'ArrowFunctionExpression':
    case 'ExportDefaultDeclaration':
    case 'PropertyDefinition':
    case 'ReturnStatement':
      return isText || isAddress ? script() : undefined
    default:
      return undefined
  }
}

function calleeOf({ callee }: Extract<Node, { type: 'CallExpression' }>): string | undefined {
  if (callee.type === 'Identifier') return callee.name
  return callee.type === 'MemberExpression' ? keyName(callee.property, callee.computed) : undefined
}

/** Returns `styled` for `styled.div`, `styled(Button)` and `styled.div.attrs({})`. */
function rootName(node: Node): string | undefined {
  if (node.type === 'Identifier') return node.name
  if (node.type === 'MemberExpression') return rootName(node.object)
  return node.type === 'CallExpression' ? rootName(node.callee) : undefined
}

/** Returns the names of variables that attributes and properties of elements use. */
function shownNames(program: Node): string[] {
  return [...walk(program, [])].flatMap(([node, ancestors]) => {
    if (node.type !== 'Identifier' && node.type !== 'TemplateLiteral') return []
    const { node: end, property } = endOf(node, ancestors)
    const isAttribute =
      end?.type === 'JSXAttribute' && end.name.type === 'JSXIdentifier' && addresses.test(end.name.name)
    const isAssigned =
      end?.type === 'AssignmentExpression' &&
      end.left.type === 'MemberExpression' &&
      addresses.test(keyName(end.left.property, end.left.computed) ?? '')
    const isStyle = end?.type === 'JSXAttribute' && property !== undefined && addresses.test(property)
    if (!isAttribute && !isAssigned && !isStyle) return []
    return node.type === 'Identifier' ? [node.name] : node.expressions.flatMap(identifiersIn)
  })
}

function identifiersIn(node: Node): string[] {
  return node.type === 'Identifier' ? [node.name] : childrenOf(node).flatMap(identifiersIn)
}

function runtimeTags(program: Node): Set<string> {
  const imports = childrenOf(program).filter((node) => node.type === 'ImportDeclaration')
  const found = imports.filter(({ source }) => runtimes.test(source.value))
  return new Set(found.flatMap(({ specifiers }) => specifiers.map(({ local }) => nameOfBinding(local))))
}

const templateLanguages = { vue: 'vue', svelte: 'svelte', astro: 'astro' } as const

/**
 * Matches the start of each part of a component that isn't in its template: a comment, script, style sheet, or front
 * matter.
 */
const startOfApart = /<!--|<(script|style)\b|(?<![\s\S])\s*---/gi

/** Replaces everything outside the template with spaces. Searches only once for an end tag that is missing. */
function templateOf(code: string): string {
  const folded = code.replace(/[A-Z]/g, (letter) => letter.toLowerCase())
  const missing = new Set<string>()
  let [template, done] = ['', 0]
  for (const { 0: start, 1: element, index } of code.matchAll(startOfApart)) {
    const end = element ? `</${element.toLowerCase()}>` : start === '<!--' ? '-->' : '\n---'
    if (index < done || missing.has(end)) continue
    const at = folded.indexOf(end, index + start.length)
    if (at === -1) {
      missing.add(end)
      continue
    }
    template += code.slice(done, index) + code.slice(index, at + end.length).replace(/[^\n]/g, ' ')
    done = at + end.length
  }
  return template + code.slice(done)
}

const attribute =
  /(?<![\w"'.:@-])([:@]?[\w.:-]+)\s*=\s*(?:"([^"]*)"|'([^']*)'|\{\s*(?:"([^"]*)"|'([^']*)'|`([^`]*)`)\s*\})/g

/** Returns the ids in attributes of a component's template. */
export function misplacedInTemplate(code: string, extension: string): MisplacedId[] {
  if (!isTemplateLanguage(extension)) return []
  return [...templateOf(code).matchAll(attribute)].flatMap(({ 0: text, 1: name = '', index, ...groups }) => {
    const value = Object.values(groups).find((group) => typeof group === 'string' && group.includes('content-space:'))
    const plain = name.replace(/^(?::|v-bind:)/, '')
    if (typeof value !== 'string' || textual.test(plain)) return []
    const bound = /^\s*['"`](.*?)['"`]/s.exec(value)?.[1] ?? value
    const found = inside.exec(value)
    const specifier = whole.exec(bound)?.[1] ?? found?.[1] ?? found?.[2]
    if (specifier === undefined) return []
    const place: Place = { language: templateLanguages[extension], attribute: plain }
    return [{ specifier, start: index + text.indexOf('content-space:'), place }]
  })
}

/** Returns the names of variables in attributes of a template: `logo` in `:src="logo"` and `src={logo}`. */
export function namesInTemplate(code: string, extension: string): Set<string> {
  const names = isTemplateLanguage(extension)
    ? code.matchAll(
        /(?:(?::|v-bind:)(?:src|href|srcset|poster)="([\w$]+)")|(?:\b(?:src|href|srcset|poster)=\{([\w$]+)\})/g,
      )
    : []
  return new Set(Array.from(names, ([, vue, other]) => vue ?? other ?? ''))
}

function isTemplateLanguage(extension: string): extension is keyof typeof templateLanguages {
  return Object.hasOwn(templateLanguages, extension)
}
