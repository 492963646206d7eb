import { ownFile } from '../disk/own-file.js'
import type { Adapter } from './adapter.js'

/** Returns the absolute path of the style sheet that keeps pictures in their containers, with slashes. */
export function pictureStyles(): string {
  return ownFile('components/runtime/picture.css').replaceAll('\\', '/')
}

/** Lets components of pictures import this style sheet, in a framework whose projects all build style sheets. */
export function withPictureStyles(adapter: Adapter): Adapter {
  return { ...adapter, references: (id) => ({ ...adapter.references(id), pictureStyles: pictureStyles() }) }
}
