import type { Adapter } from './adapter.js'

/** Lets components of pictures import their style sheet, in a framework whose projects all build style sheets. */
export function withPictureStyles(adapter: Adapter): Adapter {
  return { ...adapter, references: (id) => ({ ...adapter.references(id), pictureStyles: true }) }
}
