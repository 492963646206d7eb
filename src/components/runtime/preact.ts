import { h, type ComponentChild } from 'preact'
import { useId } from 'preact/hooks'
import { drawingAttributes, markupOf, parseDrawing, type Attributes } from './drawing.js'
import { imageAttributes, type ImageData } from './image.js'
import { givenAttributes, joinTexts, sideProps } from './props.js'

type Component = (props: Attributes & { title?: string }) => ComponentChild

/** Returns the component for an SVG. */
export function svg(text: string): Component {
  const drawing = parseDrawing(text)
  return (props) => {
    const id = useId()
    const attributes = drawingAttributes(drawing, props, id)
    return h('svg', {
      ...attributes,
      ...givenAttributes(props, ['title', 'className']),
      class: joinTexts([attributes['class'], props['class'] ?? props['className']], ' ') || undefined,
      style: mergeStyles(attributes['style'], props['style']),
      dangerouslySetInnerHTML: { __html: markupOf(drawing, id, props.title) },
    })
  }
}

/** Returns the component of a picture: an `<img>`, or a `<picture>` for several formats. */
export function image(data: ImageData): Component {
  return (props) => imageElement(data, props)
}

/** Returns the component of a light and a dark picture. A style sheet hides one of them. */
export function pair(light: Component, dark: Component): Component {
  return ({ className, class: given = className, ...props }) => [
    h(light, sideProps({ ...props, class: given }, 'light')),
    h(dark, sideProps({ ...props, class: given }, 'dark')),
  ]
}

export { image as picture }

/** Returns the elements of a picture. The application's attributes go to the `<img>`. */
export function imageElement(data: ImageData, props: Attributes): ComponentChild {
  const { srcset, src, ...attributes } = imageAttributes(data, props)
  const img = h('img', { ...attributes, ...givenAttributes(props, ['priority', 'srcSet']), srcset, src })
  if (!data.sources) return img
  const { sizes } = attributes
  const sources = data.sources.map((source) => h('source', { sizes, ...source }))
  return h('picture', null, ...sources, img)
}

/** Merges the styles of an element, which are an object, with the application's. */
export function mergeStyles(own: unknown, given: unknown): object | string | undefined {
  if (typeof given === 'string') return joinTexts([own, given], ';')
  return own || given ? { ...Object(own), ...Object(given) } : undefined
}
