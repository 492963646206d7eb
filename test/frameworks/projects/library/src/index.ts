import coast from 'content-space:asset/brand/coast-at-dawn?w=400;800&format=webp'
import { solvaneLogo } from 'content-space:kit/brand'

export { default as leaf } from 'content-space:asset/brand/leaf?raw'
export { default as mark } from 'content-space:asset/brand/solvane-mark?url'
export { solvaneLogoStacked as stackedLogo } from 'content-space:kit/brand'
export { coast }

/** The logo with its description. */
export const logo = solvaneLogo

/** Renders a photo. */
export function Photograph({ photograph = coast, sizes = '100vw' }: { photograph?: typeof coast; sizes?: string }) {
  return Object.assign(new Image(), {
    sizes,
    srcset: photograph.srcset,
    src: photograph.src,
    width: photograph.width,
    alt: photograph.name,
  })
}

/** Renders the logo. */
export function Logo({ alt = logo.name }: { alt?: string }) {
  return Object.assign(new Image(), { src: logo.src, alt })
}
