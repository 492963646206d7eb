import { withProps, type AstroComponent } from './astro.js'
import type { ImageData } from './image.js'
import Placeholder from './placeholder.astro'

/** Returns the component of a picture with a placeholder, which is removed when the picture has loaded. */
export function image(data: ImageData): AstroComponent {
  return withProps(Placeholder, (given) => ({ data, given }))
}

export { image as picture }
