import type { Metadata, Sharp } from 'sharp'

/**
 * How strictly sharp decodes. A remark of a decoder, for example about extra bytes before a marker, isn't damage,
 * because browsers show the picture. Truncated pictures still fail.
 */
export const failOn = 'error'

/** Browsers ignore the EXIF orientation of WebP, but apply it to other formats. */
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
