import {
  createElement,
  Fragment,
  forwardRef,
  useId,
  useMemo,
  version,
  type ForwardRefExoticComponent,
  type ReactElement,
} from 'react'
import { drawingAttributes, markupOf, parseDrawing, type Attributes } from './drawing.js'
import { imageAttributes, type ImageData } from './image.js'
import { givenAttributes, joinTexts, sideProps } from './props.js'

type Component = ForwardRefExoticComponent<Attributes & { title?: string }>

/** React before 19 supports the attribute only under this name. */
const priority = version.startsWith('18.') ? 'fetchpriority' : 'fetchPriority'

/** Returns the component for an SVG. It has neither state nor handlers, so it can render in server components. */
export function svg(text: string): Component {
  const drawing = parseDrawing(text)
  return withRef((props) => {
    const { title, className, style } = props
    // React 18's ids contain colons, which style sheets would have to escape.
    const id = useId().replaceAll(/[^\w-]/g, '_')
    // If this object changes, React sets the markup again, which restarts animations.
    const html = useMemo(() => ({ __html: markupOf(drawing, id, title) }), [id, title])
    const attributes = drawingAttributes(drawing, props, id)
    return createElement('svg', {
      ...attributes,
      ...givenAttributes(props, ['title']),
      className: joinTexts([attributes['className'], className], ' ') || undefined,
      style: joinStyles(attributes['style'], style),
      dangerouslySetInnerHTML: html,
    })
  })
}

/** Returns the component of a picture: an `<img>`, or a `<picture>` for several formats. */
export function image(data: ImageData): Component {
  return withRef((props) => imageElement(data, props))
}

/** Makes a component whose properties include `ref`, because React before 19 doesn't pass it to function components. */
export function withRef(render: (props: Attributes & { title?: string }) => ReactElement): Component {
  return forwardRef((props, ref) => render(ref === null ? props : { ...props, ref }))
}

/**
 * Returns the component of a light and a dark picture. A style sheet hides one of them. A ref refers to the light one.
 */
export function pair(light: Component, dark: Component): Component {
  return withRef(({ ref, ...props }) =>
    createElement(
      Fragment,
      null,
      createElement(light, { ...sideProps(props, 'light', 'className'), ...(ref ? { ref } : {}) }),
      createElement(dark, sideProps(props, 'dark', 'className')),
    ),
  )
}

export { image as picture }

/** Returns the elements of a picture. The application's attributes go to the `<img>`. */
export function imageElement(data: ImageData, props: Attributes): ReactElement {
  const { fetchpriority, srcset, src, ...attributes } = imageAttributes(data, props)
  const given = givenAttributes(props, ['priority'])
  const img = createElement('img', { ...attributes, [priority]: fetchpriority, ...given, srcSet: srcset, src })
  if (!data.sources) return img
  const sources = data.sources.map(({ media, type, srcset: srcSet }) =>
    createElement('source', { media, type, sizes: attributes['sizes'], srcSet }),
  )
  return createElement('picture', null, ...sources, img)
}

function joinStyles(own: unknown, given: unknown): object | undefined {
  return own || given ? { ...Object(own), ...Object(given) } : undefined
}
