import { paint, type Line } from '../text/display.js'

const heading = /^([A-Z][\w ]*:)(.*)$/
const term = /^( {2,}(?:-{1,2}[\w-]+|[a-z]\w*)(?:, --[\w-]+)?(?: [<[][^>\]]*[>\]])*)( {2,}.*)$/
const example = /^( {2,})(npx (?:unplugin-)?content-space (?: ?\S+)+)(.*)$/

/** Styles the headings, the names of options and commands, and the examples of a help text. */
export function helpLines(text: string): Line[] {
  return text.replace(/\n$/, '').split('\n').map(styled)
}

function styled(line: string): Line {
  const [, title, rest = ''] = heading.exec(line) ?? []
  if (title !== undefined) return [paint('bold', title), rest]
  const [, indent = '', command, meaning = ''] = example.exec(line) ?? []
  if (command !== undefined) return [indent, paint('cyan', command), meaning]
  const [, name, description = ''] = term.exec(line) ?? []
  return name === undefined ? line : [paint('cyan', name), description]
}
