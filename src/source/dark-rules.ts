import { tokenize, tokenNames } from 'css-tree/tokenizer'

interface Range {
  start: number
  end: number
}

/** An id in a style sheet, and the id of its dark counterpart. */
export interface DarkText extends Range {
  dark: string
}

interface Declaration extends Range {
  /** The position where the name ends. */
  colon: number
  /** The outermost functions and addresses. */
  parts: Range[]
  hasLayers: boolean
}

interface Block {
  prelude: string
  declarations: Declaration[]
}

/** Shorthand properties that set more than a picture, each with the property that sets only the picture. */
const pictureProperties: Readonly<Record<string, string>> = {
  background: 'background-image',
  'border-image': 'border-image-source',
  'list-style': 'list-style-image',
  mask: 'mask-image',
  '-webkit-mask': '-webkit-mask-image',
}

/**
 * Returns the rules that replace pictures in dark mode. Each follows its light rule and has the same specificity. Ids
 * in `@font-face` or keyframes don't get a dark rule.
 * @returns for each rule: its position, its text, and the ids that it repeats
 */
export function darkRules<Id extends DarkText>(code: string, ids: readonly Id[], darkMode: string) {
  const rules: { at: number; text: string; ids: Id[] }[] = []
  readBlocks(code, ({ prelude, declarations }, parent, at) => {
    if (prelude.startsWith('@') || /^@\S*keyframes\b/i.test(parent?.prelude ?? '')) return
    const paired = declarations.map((one) => ({ one, own: ids.filter((id) => contains(one, id)) }))
    const shown = paired.filter(({ own }) => own.length > 0)
    if (shown.length === 0) return
    const lines = shown.map(({ one, own }) => darkDeclaration(code, one, own)).join('; ')
    const rule = `${darkMode === 'media' ? prelude : darkSelector(prelude, darkMode)} { ${lines} }`
    const text = darkMode === 'media' ? ` @media (prefers-color-scheme: dark) { ${rule} }` : ` ${rule}`
    rules.push({ at, text, ids: shown.flatMap(({ own }) => own) })
  })
  return rules
}

/** Calls a function with each block of a style sheet, the block's parent and its end. */
function readBlocks(code: string, onBlock: (block: Block, parent: Block | undefined, end: number) => void): void {
  const blocks: Block[] = []
  let depth = 0
  let statement: Declaration | undefined
  const endDeclaration = (end: number): void => {
    if (statement && statement.colon > 0) blocks.at(-1)?.declarations.push({ ...statement, end })
    statement = undefined
  }
  tokenize(code, (type, start, end) => {
    const name = tokenNames[type] ?? ''
    if (name === 'whitespace-token' || name === 'comment-token') return
    if (name === '{-token') {
      blocks.push({ prelude: code.slice(statement?.start ?? start, start).trim(), declarations: [] })
      statement = undefined
    } else if (name === '}-token') {
      endDeclaration(start)
      const block = blocks.pop()
      if (block) onBlock(block, blocks.at(-1), end)
    } else if (name === 'semicolon-token' && depth === 0) {
      endDeclaration(start)
    } else {
      statement ??= { start, end, colon: 0, parts: [], hasLayers: false }
      if (depth === 0 && name === 'colon-token' && statement.colon === 0) statement.colon = start
      if (depth === 0 && name === 'comma-token') statement.hasLayers = true
      if (depth === 0 && /^(?:function|url)-token$/.test(name)) statement.parts.push({ start, end })
      depth = Math.max(0, depth + nesting(type))
      const part = statement.parts.at(-1)
      if (part && depth === 0 && name === ')-token') part.end = end
    }
  })
}

function darkDeclaration(code: string, declaration: Declaration, ids: readonly DarkText[]): string {
  const { start, end, colon, parts, hasLayers } = declaration
  const property = code.slice(start, colon).trim()
  // Use the longhand, because the rest of a shorthand must not reset values from other declarations.
  const { [property.toLowerCase()]: longhand } = pictureProperties
  const picture = hasLayers ? undefined : parts.find((part) => ids.every((id) => contains(part, id)))
  const value = { start: colon + 1, end }
  if (!longhand || !picture) return `${property}: ${withDark(code, value, ids)}`
  const important = /!\s*important\s*$/i.test(code.slice(start, end)) ? ' !important' : ''
  return `${longhand}: ${withDark(code, picture, ids)}${important}`
}

function withDark(code: string, range: Range, ids: readonly DarkText[]): string {
  let text = ''
  let at = range.start
  for (const { start, end, dark } of ids) {
    text += code.slice(at, start) + dark
    at = end
  }
  return (text + code.slice(at, range.end)).trim()
}

/** Returns the selectors of a dark rule. */
function darkSelector(prelude: string, darkMode: string): string {
  // CSS modules may rename classes, but not names in attribute selectors.
  const mode = darkMode.startsWith('.') ? `[class~="${darkMode.slice(1)}"]` : darkMode
  const condition = `:where(${mode}, ${mode} *)`
  let [text, at, depth] = ['', 0, 0]
  let isDone = false
  tokenize(prelude, (type, start) => {
    const isComma = depth === 0 && tokenNames[type] === 'comma-token'
    // Insert the condition before a pseudo-element, because the condition applies to the element. Some pseudo-elements
    // may be written with a single colon.
    const isPart = depth === 0 && pseudoElement.test(prelude.slice(start))
    if (!isDone && (isComma || isPart)) {
      text += prelude.slice(at, start).trimEnd() + condition
      at = start
    }
    isDone = !isComma && (isDone || isPart)
    depth += nesting(type)
  })
  return text + prelude.slice(at) + (isDone ? '' : condition)
}

const pseudoElement = /^:(?::|(?:before|after|first-line|first-letter)\b)/i

/** Returns how a token changes the depth of parentheses and brackets. */
function nesting(type: number): number {
  const name = tokenNames[type] ?? ''
  return /^(?:function|\(|\[)-token$/.test(name) ? 1 : /^[)\]]-token$/.test(name) ? -1 : 0
}

function contains(range: Range, { start, end }: Range): boolean {
  return range.start <= start && end <= range.end
}
