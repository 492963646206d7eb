import type { Component } from 'svelte'
import type { Attributes } from './drawing.js'
import type { ImageData } from './image.js'
import Placeholder from './placeholder.svelte'
import { withData } from './svelte.js'

/** Returns the component of a picture with a placeholder, which is removed when the picture has loaded. */
export function image(data: ImageData): Component<Attributes> {
  return withData(Placeholder, data)
}

export { image as picture }
