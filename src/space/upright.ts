import type { Metadata, Sharp } from 'sharp'

/**
 * How strictly sharp decodes. A decoder's warning, for example about extra bytes before a marker, isn't an error,
 * because browsers display the picture anyway. Truncated pictures still fail.
 */
export const failOn = 'error'

/** Browsers ignore the EXIF orientation of WebP, but apply it to other formats. */
function hasOrientation({ format }: Metadata): boolean {
  return format !== 'webp'
}

/** Rotates a picture to the orientation in which browsers display it. */
export function upright(picture: Sharp, metadata: Metadata): Sharp {
  return hasOrientation(metadata) ? picture.autoOrient() : picture
}

/** Returns the size at which browsers display a picture. */
export function uprightSize(metadata: Metadata): { width: number; height: number } {
  return hasOrientation(metadata) ? metadata.autoOrient : metadata
}
