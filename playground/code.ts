import { element } from './dom.js'

const sources = import.meta.glob<string>(['./main.ts', './icons.ts'], { query: '?raw', import: 'default', eager: true })

/** The source lines of this page that import content, by the name of their variable. */
const imports = new Map(
  Object.values(sources)
    .flatMap((source) => source.split('\n'))
    .flatMap((line): [string, string][] => {
      const [, variable] = /^import (?:\{ )?(\w+).* from 'content-space:/.exec(line) ?? []
      return variable === undefined ? [] : [[variable, line]]
    }),
)

/**
 * Returns the source line that imports a variable.
 * @throws Error if the source doesn't contain such a line
 */
export function sourceLine(variable: string): string {
  const line = imports.get(variable)
  if (line === undefined) throw new Error(`The page imports no content as ${variable}.`)
  return line
}

/** Returns an import of one asset from the module that the source imports as a variable. */
export function namedImport(name: string, variable: string): string {
  return `import { ${name} } from ${/'.*'/.exec(sourceLine(variable))?.[0]}`
}

/** Returns an element with code and a button that copies it. */
export function codeBlock(code: string, label: string): HTMLElement {
  const shown = element('code', {}, ...highlighted(code))
  const button = element('button', { type: 'button', className: 'copy', textContent: 'Copy' })
  button.setAttribute('aria-label', `Copy the import of ${label}`)
  button.addEventListener('click', () => void copy(code, shown, button))
  return element('div', { className: 'code' }, element('pre', { tabIndex: 0 }, shown), button)
}

/** Copies a text, or selects it if the browser doesn't allow copying. */
async function copy(text: string, shown: HTMLElement, button: HTMLElement): Promise<void> {
  const isCopied = await copyText(text)
  if (!isCopied) getSelection()?.selectAllChildren(shown)
  button.textContent = isCopied ? 'Copied' : 'Selected'
  setTimeout(() => (button.textContent = 'Copy'), 1500)
}

/** @returns whether the browser allows it */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    return false
  }
}

/** Makes an element of each line of code. */
function highlighted(code: string): HTMLElement[] {
  return code.split('\n').map((line) => element('span', { className: 'line' }, ...tokens(line)))
}

/** Splits a line of code into strings, keywords, comments, and other text. */
function tokens(line: string): (Node | string)[] {
  return line.split(/('[^'\n]*'|\b(?:import|from|as)\b|\/\/.*)/).map((text, index) => {
    if (index % 2 === 0) return text
    const className = text.startsWith("'") ? 'string' : text.startsWith('//') ? 'comment' : 'keyword'
    // In a narrow box, lines break after a slash rather than within `content-space`. On a phone, they don't break at
    // all.
    const parts = className === 'string' ? text.split(/(?<=[/?&;])/) : [text]
    const unbroken = parts.map((part) => element('span', { className: 'unbroken', textContent: part }))
    return element('span', { className }, ...unbroken.flatMap((part) => [part, element('wbr', {})]))
  })
}
