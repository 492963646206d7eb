import sharp from '../../disk/sharp.js'

// Loads sharp with the first picture, because it takes longer to load than Node, and SVGs don't need it. Prepares sharp
// for hostile input: only decoders of known formats, only from memory, and no cache.
sharp.block({ operation: ['VipsForeignLoad'] })
const loaders = ['Jpeg', 'Png', 'Webp', 'Nsgif', 'Tiff', 'Svg', 'Heif']
sharp.unblock({ operation: loaders.map((name) => `VipsForeignLoad${name}Buffer`) })
sharp.cache(false)
sharp.concurrency(1)

export { compareDrawings } from './compare-drawings.js'
export { checkDecodes } from './decode.js'
export { openPicture } from './make-picture.js'
