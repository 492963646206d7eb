import { oneLine } from '../../../text/display.js'

/** HTML whose values are escaped. */
export interface Markup {
  markup: string
}

/**
 * Template tag for HTML. Texts are made one safe line and escaped; markup is inserted as it is. The tag is not called
 * `html`, because formatters change the white space of templates with that name.
 */
export function escaped(
  parts: TemplateStringsArray,
  ...values: readonly (string | Markup | readonly Markup[])[]
): Markup {
  return { markup: parts.map((part, index) => part + write(values[index] ?? '')).join('') }
}

function write(value: string | Markup | readonly Markup[]): string {
  if (typeof value === 'string') return oneLine(value).replaceAll(/[&<>"'`]/g, (mark) => `&#${mark.codePointAt(0)};`)
  return 'markup' in value ? value.markup : value.map(({ markup }) => markup).join('\n')
}
