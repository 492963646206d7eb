import { cloneVNode, getCurrentInstance, h, mergeProps, useId, type Component, type VNode } from 'vue'
import { drawingAttributes, markupOf, parseDrawing, type Attributes } from './drawing.js'
import { imageAttributes, ownProps, type ImageData } from './image.js'
import { givenAttributes } from './props.js'

/** Returns the component for an SVG. */
export function svg(text: string): Component {
  const drawing = parseDrawing(text)
  return {
    inheritAttrs: false,
    props: ['title'],
    setup(props: { title?: string }, { attrs }) {
      const id = drawing.prefix ? useId() : ''
      return () => {
        const own = drawingAttributes(drawing, { ...attrs, ...props }, id)
        return h('svg', {
          ...mergeProps(own, givenAttributes(attrs)),
          innerHTML: markupOf(drawing, id, props.title),
        })
      }
    },
  }
}

/** Returns the component of a picture: an `<img>`, or a `<picture>` for several formats. */
export function image(data: ImageData): Component {
  return {
    inheritAttrs: false,
    props: imageProps,
    setup:
      (props: ImageProps, { attrs }) =>
      () =>
        imageNode(data, props, attrs),
  }
}

function side(component: Component, mode: string, attrs: Attributes): VNode {
  const id = mode === 'light' ? attrs['id'] : undefined
  return h(component, mergeProps({ ...attrs, id, priority: undefined }, { class: `content-space-${mode}` }))
}

/** Returns the component of a light and a dark picture. A style sheet hides one of them. */
export function pair(light: Component, dark: Component): Component {
  return {
    inheritAttrs: false,
    setup:
      (_, { attrs }) =>
      () => [side(light, 'light', attrs), side(dark, 'dark', attrs)],
  }
}

export { image as picture }

/** The application's properties for a picture that aren't attributes. */
export interface ImageProps {
  priority?: boolean
  sizes?: string
}

export const imageProps = { priority: Boolean, sizes: String }

/** Returns the element of a picture. The application's attributes go to the `<img>`. */
export function imageNode(data: ImageData, props: ImageProps, attrs: Attributes, more: Attributes = {}): VNode {
  const own = imageAttributes(data, { ...attrs, ...props })
  const img = h('img', mergeProps(more, own, givenAttributes(attrs, ownProps)))
  if (!data.sources) return img
  const { sizes } = props
  const sources = data.sources.map((source) => h('source', { ...source, sizes }))
  // Vue sets the attribute for scoped styles only on the outer element, but classes go to the `<img>`.
  const scope = getCurrentInstance()?.vnode.scopeId
  return h('picture', [...sources, scope ? cloneVNode(img, { [scope]: '' }) : img])
}
