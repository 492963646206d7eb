import { createElement, type ReactElement } from 'react'
import type { Attributes } from './drawing.js'
import type { ImageData } from './image.js'
import { Picture } from './react-loading.js'

/** Returns the component of a picture whose placeholder is removed when the picture has loaded. */
export function image(data: ImageData): (props: Attributes) => ReactElement {
  return (props) => createElement(Picture, { data, props })
}

export { image as picture }
