import { solvaneLogo } from 'content-space:kit/brand'

console.log(solvaneLogo.src)
