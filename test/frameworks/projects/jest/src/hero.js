import { solvaneLogo } from 'content-space:kit/brand'
import coast from 'content-space:asset/brand/coast-at-dawn?w=320;640&format=webp'

export function hero() {
  return `<img src="${solvaneLogo.src}"><img src="${coast.src}" srcset="${coast.srcset}" alt="${coast.name}">`
}
