import { createSignal, onMount, type Component } from 'solid-js'
import type { Attributes } from './drawing.js'
import { isShown, placeholderStyle, type ImageData, type ImageElement } from './image.js'
import { imageElement } from './solid.js'
import { joinTexts } from './props.js'

/** An `HTMLImageElement`, as far as it is used here. */
interface LoadingElement extends ImageElement {
  addEventListener(type: 'load', listener: () => void, options: { once: true }): void
}

/** Returns the component of a picture with a placeholder, which is removed when the picture has loaded. */
export function image(data: ImageData): Component<Attributes> {
  const placeholder = placeholderStyle(data)
  return (props) => {
    const [shown, setShown] = createSignal(false)
    let element: LoadingElement | undefined
    const show = (): void => void setShown(true)
    // Not before hydration is over, which would leave the style of the server in place.
    onMount(() => {
      if (isShown(element)) show()
      else element?.addEventListener('load', show, { once: true })
    })
    return imageElement(data, props, {
      ref(made: LoadingElement) {
        element = made
        const { ref } = props
        if (typeof ref === 'function') ref(made)
      },
      get style() {
        return shown() ? props['style'] : joinTexts([placeholder, props['style']], ';')
      },
    })
  }
}

export { image as picture }
