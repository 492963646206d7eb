import { hardenSharp } from './sharp-limits.js'

// Loaded with the first picture: drawings do not need sharp, which takes longer to load than Node and their code.
hardenSharp()

export { checkDecodes } from './decode.js'
export { openPicture } from './make-picture.js'
