import { hardenSharp } from './sharp-limits.js'

// Loaded with the first picture. Drawings do not need sharp, which takes longer to load than Node and all that they need.
hardenSharp()

export { checkDecodes } from './decode.js'
export { openPicture } from './make-picture.js'
