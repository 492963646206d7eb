import { createElement } from 'react'
import type { ImageData } from './image.js'
import { Picture } from './react-loading.js'
import { withRef } from './react.js'

/** Returns the component of a picture with a placeholder, which is removed when the picture has loaded. */
export function image(data: ImageData): ReturnType<typeof withRef> {
  return withRef((props) => createElement(Picture, { data, props }))
}

export { image as picture }
