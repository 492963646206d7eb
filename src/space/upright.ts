import type { Metadata, Sharp } from 'sharp'

/**
 * How strictly sharp decodes. Remarks of a decoder, such as one about extra bytes before a marker, are no damage:
 * browsers show the picture. Pictures that are cut short still fail.
 */
export const failOn = 'error'

/** Browsers ignore the EXIF orientation of WebP, and apply that of other formats. */
function hasOrientation({ format }: Metadata): boolean {
  return format !== 'webp'
}

/** Rotates a picture as browsers show it. */
export function upright(picture: Sharp, metadata: Metadata): Sharp {
  return hasOrientation(metadata) ? picture.autoOrient() : picture
}

/** Returns the size in which browsers show a picture. */
export function uprightSize(metadata: Metadata): { width: number; height: number } {
  return hasOrientation(metadata) ? metadata.autoOrient : metadata
}
