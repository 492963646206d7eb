import { solvaneMark } from './content/index.js'
import coast from './content/photographs/coast-at-dawn.js'

/**
 * What <Image source={coast.src} style={{ width: coast.width, height: coast.height }} /> takes.
 * @type {{ source: number; width: number; height: number }[]}
 */
const images = [solvaneMark, coast].map(({ src, width, height }) => ({ source: src, width, height }))

globalThis.images = images
