import { createComponent, createUniqueId, mergeProps, splitProps, type Component, type JSX } from 'solid-js'
import { Dynamic } from 'solid-js/web'
import { drawingAttributes, markupOf, parseDrawing, type Attributes } from './drawing.js'
import { imageAttributes, ownProps, type ImageData } from './image.js'
import { joinTexts, sideProps } from './props.js'

/** Returns the component for an SVG. */
export function svg(text: string): Component<Attributes & { title?: string }> {
  const drawing = parseDrawing(text)
  return (props) => {
    const id = drawing.prefix && createUniqueId()
    const own = (): Attributes => drawingAttributes(drawing, props, id)
    const [, attributes] = splitProps(props, ['title'])
    return element('svg', own, attributes, [
      () => joinedAttributes(own(), props),
      {
        get innerHTML() {
          return markupOf(drawing, id, props.title)
        },
        // Solid would look for children among the other properties and clear the element whenever these change. This
        // must follow `innerHTML`, because the server renders the first of the two.
        children: null,
      },
    ])
  }
}

/** Returns the classes and styles of an SVG, joined with the application's. */
function joinedAttributes(own: Attributes, props: Attributes): Attributes {
  const joined: Attributes = {}
  for (const name of ['class', 'style'])
    if (own[name]) joined[name] = joinTexts([own[name], props[name]], name === 'class' ? ' ' : ';')
  return joined
}

/** Returns the component of a picture: an `<img>`, or a `<picture>` for several formats. */
export function image(data: ImageData): Component<Attributes> {
  return (props) => imageElement(data, props)
}

/** Returns the component of a light and a dark picture. A style sheet hides one of them. */
export function pair(light: Component<Attributes>, dark: Component<Attributes>): Component<Attributes> {
  return (props) => {
    const side = (component: Component<Attributes>, mode: 'light' | 'dark'): JSX.Element =>
      createComponent(
        component,
        // With several sources, a source that has a value would override another source that makes the property
        // undefined.
        mergeProps(() => sideProps(props, mode)),
      )
    return [side(light, 'light'), side(dark, 'dark')]
  }
}

export { image as picture }

/**
 * Returns the elements of a picture. The application's attributes go to the `<img>`.
 * @param more overrides the application's properties
 */
export function imageElement(data: ImageData, props: Attributes, more: Attributes = {}): JSX.Element {
  const [, attributes] = splitProps(props, ownProps)
  const img = (): JSX.Element => element('img', () => imageAttributes(data, props), attributes, [more])
  const { sources } = data
  if (!sources) return img()
  const picture = {
    // Create the children late, because hydration counts elements from the outside in.
    get children() {
      const made = sources.map((source) => element('source', () => ({ ...source, sizes: props['sizes'] }), {}, []))
      return [...made, img()]
    },
  }
  return element('picture', () => ({}), picture, [])
}

/**
 * Makes an element with `Dynamic`, which hydrates without compiled JSX.
 * @param own is reactive
 */
function element(
  tag: string,
  own: () => Attributes,
  props: Attributes,
  more: (Attributes | (() => Attributes))[],
): JSX.Element {
  return createComponent(Dynamic, mergeProps(own, props, ...more, { component: tag }))
}
