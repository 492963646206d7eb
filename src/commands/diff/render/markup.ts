import { oneLine } from '../../../text/display.js'

/** HTML in which everything that was put in is escaped. */
export interface Markup {
  markup: string
}

/** Makes HTML of a template: texts become one safe line and are escaped, markup and lists of it go in as they are. */
export function html(parts: TemplateStringsArray, ...values: readonly (string | Markup | readonly Markup[])[]): Markup {
  return { markup: parts.map((part, index) => part + write(values[index] ?? '')).join('') }
}

function write(value: string | Markup | readonly Markup[]): string {
  if (typeof value === 'string') return oneLine(value).replaceAll(/[&<>"'`]/g, (mark) => `&#${mark.codePointAt(0)};`)
  return 'markup' in value ? value.markup : value.map(({ markup }) => markup).join('\n')
}
