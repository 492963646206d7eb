import { createSignal, onMount, type Component } from 'solid-js'
import type { Attributes } from './drawing.js'
import { hasLoaded, placeholderStyle, type ImageData, type ImageElement } from './image.js'
import { imageElement } from './solid.js'
import { joinTexts } from './props.js'

/** The properties of an `HTMLImageElement` that we use. */
interface LoadingElement extends ImageElement {
  addEventListener(type: 'load', listener: () => void, options: { once: true }): void
}

/** Returns the component of a picture with a placeholder, which is removed when the picture has loaded. */
export function image(data: ImageData): Component<Attributes> {
  const placeholder = placeholderStyle(data)
  return (props) => {
    const [loaded, setLoaded] = createSignal(false)
    let element: LoadingElement | undefined
    const show = (): void => void setLoaded(true)
    // Wait until hydration has ended, because it would leave the style from the server in place.
    onMount(() => {
      if (hasLoaded(element)) show()
      else element?.addEventListener('load', show, { once: true })
    })
    return imageElement(data, props, {
      ref(made: LoadingElement) {
        element = made
        const { ref } = props
        if (typeof ref === 'function') ref(made)
      },
      get style() {
        return loaded() ? props['style'] : joinTexts([placeholder, props['style']], ';')
      },
    })
  }
}

export { image as picture }
