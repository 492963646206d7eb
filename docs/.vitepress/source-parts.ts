import { readFileSync } from 'node:fs'
import ts from 'typescript5'
import { codes } from '../../src/errors.js'
import { frameworks } from '../../src/request/frameworks.js'
import { parameters } from '../../src/request/parameters.js'
import { inImports } from '../../test/faults/mistakes/in-imports.js'
import { inCommands, inOptions } from '../../test/faults/mistakes/in-options.js'

/** The parts of pages that are made from the source, by the name in the page: `<!-- made: queries -->`. */
const parts: Record<string, () => string> = {
  queries: describeQueries,
  options: describeOptions,
  errors: describeErrors,
  mistakes: describeMistakes,
}

/** Returns a page with the parts between its marks as the source describes them. */
export function fillParts(page: string): string {
  return page.replaceAll(
    /^(<!-- made: (\w+) -->\n)[\s\S]*?^(<!-- end -->)$/gm,
    (_, begin: string, name: string, end: string) => `${begin}\n${parts[name]?.() ?? ''}\n\n${end}`,
  )
}

/** Each key with its values and its meaning. */
function describeQueries(): string {
  return Object.entries(parameters)
    .flatMap(([key, { takes, meaning }]) => [`### \`${key}\``, `Takes ${takes}.`, sentence(meaning)])
    .join('\n\n')
}

function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`
}

/** Each option with its type, default, comment and examples. */
function describeOptions(): string {
  return describe('src/config/options.ts', 'Options', ({ type, text, tags }) => {
    const defaults = tags.filter(({ name }) => name === 'default').map((tag) => `default: ${withCode(tag.text)}`)
    const examples = tags.filter(({ name }) => name === 'example').map((tag) => `\`${tag.text}\``)
    const known = frameworks.map((name) => `'${name}'`).join(' | ')
    const facts = [`\`${type.replace('Framework', known)}\``, ...defaults].join(', ')
    return [facts, text, ...(examples.length > 0 ? [`Example: ${examples.join(', or ')}`] : [])]
  })
}

/** Each code with its meaning, which is the first sentence of its comment, and what to do, which is the rest. */
function describeErrors(): string {
  const rows: Record<string, { service?: number; retry: boolean } | undefined> = codes
  return describe('src/errors.ts', 'codes', ({ name, text }) => {
    const [meaning = '', ...rest] = text.split(/(?<=\.)\s+/)
    const { service, retry } = rows[name] ?? { retry: false }
    const facts = [service ?? [], retry ? '`retryable`' : []].flat()
    const ends = facts.length === 0 ? '.' : ` (${facts.join(', ')}).`
    return [meaning.replace(/\.$/, ends), rest.join(' ')]
  })
}

/** The mistakes that the tests make, by the error that says what to do. */
function describeMistakes(): string {
  const mistakes: Record<string, string[]> = {}
  for (const { mistake, code } of [...inImports, ...inOptions, ...inCommands]) (mistakes[code] ??= []).push(mistake)
  const rows = Object.entries(mistakes).map(([code, texts]) => {
    return `| ${code === 'usage' ? 'wrong usage' : `[\`${code}\`](#${code.toLowerCase()})`} | ${texts.join('; ')} |`
  })
  return ['| error | you |', '|---|---|', ...rows].join('\n')
}

/** A member of an interface or an object in the source. */
interface Member {
  /** The comment of a line above it, where a group of members begins. */
  group?: string
  name: string
  type: string
  text: string
  tags: { name: string; text: string }[]
}

/** Returns a heading and paragraphs for each member, and a heading for each group. */
function describe(file: string, container: string, paragraphs: (member: Member) => string[]): string {
  return membersOf(file, container)
    .flatMap((member) => [
      ...(member.group === undefined ? [] : [`## ${member.group}`]),
      `### \`${member.name}\``,
      ...paragraphs(member),
    ])
    .join('\n\n')
}

function membersOf(file: string, container: string): Member[] {
  const code = readFileSync(file, 'utf8')
  const source = ts.createSourceFile(file, code, ts.ScriptTarget.Latest, true)
  const found: Member[] = []
  const visit = (node: ts.Node): void => {
    const isMember = ts.isPropertySignature(node) || ts.isPropertyAssignment(node)
    if (isMember && nameOf(node.parent) === container) found.push(readMember(node, code))
    ts.forEachChild(node, visit)
  }
  visit(source)
  if (found.length === 0) throw new Error(`${file} has no ${container}.`)
  return found
}

/** Returns the name of an interface, or of the variable that an object is assigned to. */
function nameOf(node: ts.Node): string | undefined {
  if (ts.isInterfaceDeclaration(node)) return node.name.text
  if (ts.isVariableDeclaration(node)) return node.name.getText()
  return ts.isExpression(node) ? nameOf(node.parent) : undefined
}

function readMember(node: ts.PropertySignature | ts.PropertyAssignment, code: string): Member {
  const comments = ts.getLeadingCommentRanges(code, node.pos) ?? []
  const group = comments
    .filter(({ kind }) => kind === ts.SyntaxKind.SingleLineCommentTrivia)
    .map(({ pos, end }) =>
      code
        .slice(pos + 2, end)
        .trim()
        .replace(/\.$/, ''),
    )
    .at(-1)
  const [comment] = ts.getJSDocCommentsAndTags(node).filter(ts.isJSDoc)
  return {
    ...(group !== undefined && { group }),
    name: node.name.getText(),
    type: ts.isPropertySignature(node) ? (node.type?.getText() ?? '') : '',
    text: withLinks(textOf(comment?.comment)),
    tags: (comment?.tags ?? []).map((tag) => ({ name: tag.tagName.text, text: textOf(tag.comment) })),
  }
}

function textOf(comment: ts.JSDoc['comment']): string {
  return (ts.getTextOfJSDocComment(comment) ?? '').replaceAll(/\s+/g, ' ').trim()
}

/** Makes `docs/ids.md#types` in a comment a link, with the title of the page or the heading. */
function withLinks(text: string): string {
  return text.replaceAll(/docs\/(\w[\w-]*\.md)(#[\w-]+)?/g, (_, page: string, anchor = '') => {
    const headings = [...readFileSync(`docs/${page}`, 'utf8').matchAll(/^#+ (.*)$/gm)].map(([, title = '']) => title)
    const title = headings.find((one) => `#${one.toLowerCase().replaceAll(' ', '-')}` === anchor) ?? headings[0]
    return `[${title}](${page}${anchor})`
  })
}

/** Marks the code in a text of `@default`, which has backquotes only around some of it. */
function withCode(text: string): string {
  return text
    .replaceAll(/process\.env\.(\w+)/g, '`$1`')
    .replaceAll(/(?<!`)'[^']*'(?!`)/g, '`$&`')
    .replace(/^(?:\{.*\}|\[\]|true|false|[\d_]+)(?=$| )/, '`$&`')
}
