import type { Attributes } from './drawing.js'

/**
 * Returns what an application gives to an element. Undefined properties are left out: they stand for the default.
 * @param own names that are no attributes
 */
export function givenAttributes(props: Attributes, own: readonly string[]): Attributes {
  const attributes = { ...props }
  for (const name in attributes) if (attributes[name] === undefined || own.includes(name)) delete attributes[name]
  return attributes
}

/** Returns the classes of an element and of the application. */
export function joinClasses(own: unknown, given: unknown): string {
  return [own, given].filter(Boolean).join(' ')
}

/**
 * Returns the styles of an element and of the application as one text.
 * @param given a text, or an object whose names are those of CSS or of JavaScript
 */
export function joinStyles(own: unknown, given: unknown): string {
  return [own, typeof given === 'object' && given !== null ? styleText(given) : given].filter(Boolean).join(';')
}

function styleText(style: object): string {
  return Object.entries(style)
    .filter(([, value]) => value != null && value !== false)
    .map(([name, value]) => `${name.startsWith('--') ? name : kebabCase(name)}:${value}`)
    .join(';')
}

function kebabCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
}

/**
 * Returns the properties of a drawing. A size in the style counts as a width, which replaces the size of the drawing.
 * @returns reads the properties late, because those of some frameworks follow changes
 */
export function sizedProps(props: Attributes): Attributes {
  const { style } = props
  const text = typeof style === 'object' && style !== null ? styleText(style) : String(style)
  // oxlint-disable-next-line typescript/no-unsafe-return -- TypeScript does not know what Object.create returns
  return /(?:^|;)\s*(?:width|height)\s*:/.test(text) ? Object.create(props, { width: { value: '' } }) : props
}
