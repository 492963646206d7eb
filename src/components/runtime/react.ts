import { createElement, useId, useMemo, type ReactElement } from 'react'
import { drawingAttributes, markupOf, parseDrawing, type Attributes } from './drawing.js'
import { imageAttributes, type ImageData } from './image.js'
import { givenAttributes, joinTexts } from './props.js'

type Component = (props: Attributes & { title?: string }) => ReactElement

/** Returns the component of a drawing. It has no state and no handlers, so that it renders in server components. */
export function svg(text: string): Component {
  const drawing = parseDrawing(text)
  return (props) => {
    const { title, className, style } = props
    const id = useId()
    // React sets the markup again, which restarts animations, when the object is another one.
    const html = useMemo(() => ({ __html: markupOf(drawing, id, title) }), [id, title])
    const attributes = drawingAttributes(drawing, props, id)
    return createElement('svg', {
      ...attributes,
      ...givenAttributes(props, ['title']),
      className: joinTexts([attributes['className'], className], ' ') || undefined,
      style: joinStyles(attributes['style'], style),
      dangerouslySetInnerHTML: html,
    })
  }
}

/** Returns the component of a picture: an `<img>`, or a `<picture>` for several formats. */
export function image(data: ImageData): Component {
  return (props) => imageElement(data, props)
}

export { image as picture }

/** Returns the elements of a picture. Attributes of the application belong to the `<img>`. */
export function imageElement(data: ImageData, props: Attributes): ReactElement {
  const { fetchpriority, srcset, src, ...attributes } = imageAttributes(data, props)
  const given = givenAttributes(props, ['priority'])
  const img = createElement('img', { ...attributes, fetchPriority: fetchpriority, ...given, srcSet: srcset, src })
  if (!data.sources) return img
  const sources = data.sources.map(({ type, srcset: srcSet }) =>
    createElement('source', { type, sizes: attributes['sizes'], srcSet }),
  )
  return createElement('picture', null, ...sources, img)
}

function joinStyles(own: unknown, given: unknown): object | undefined {
  return own || given ? { ...Object(own), ...Object(given) } : undefined
}
