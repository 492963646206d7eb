import { isTooManyFiles, tooManyFilesError } from '../disk/file-error.js'
import { ContentSpaceError, sanitizeError } from '../errors.js'
import { paint, type Line, type Painted, type Part, type Style } from '../text/display.js'
import { wrapped } from './table.js'

/**
 * Returns the lines that explain an error to the user: its code, the problem, the next step, and the location of the
 * import. For a bug in this package, returns the stack.
 */
export function errorLines(error: unknown, width: number | undefined): Line[] {
  sanitizeError(error)
  if (error instanceof ContentSpaceError) return linesOf(error, width)
  if (isTooManyFiles(error)) return linesOf(tooManyFilesError(error), width)
  return (error instanceof Error ? (error.stack ?? error.message) : String(error)).split('\n')
}

function linesOf({ code, summary, hint = '', message }: ContentSpaceError, width: number | undefined): Line[] {
  const lines = message.split('\n')
  const [first = '', ...list] = lines.splice(0, summary.split('\n').length)
  const step = hint === '' ? undefined : lines.shift()
  return [
    ...labeled(paint('red', `error[${code}]:`), first, { width, style: 'bold' }),
    ...list.flatMap((line) => wrapped(line, width)),
    ...(step === undefined ? [] : labeled(paint('cyan', 'hint:'), step, { width })),
    ...lines,
  ]
}

/** Puts a label in front of text, and wraps the text at the terminal's width. */
function labeled(label: Painted, text: string, { width, style }: { width: number | undefined; style?: Style }): Line[] {
  const [first = '', ...rest] = wrapped(`${label.text} ${text}`, width)
  const styled = (part: string): Part => (style === undefined ? part : paint(style, part))
  return [[label, styled(first.slice(label.text.length))], ...rest.map((line) => [styled(line)])]
}

export function usageErrorLines(message: string, width: number | undefined): Line[] {
  const [first = '', ...rest] = message.trimEnd().split('\n')
  return [...labeled(paint('red', 'error:'), first.replace(/^error: /, ''), { width }), ...rest]
}
