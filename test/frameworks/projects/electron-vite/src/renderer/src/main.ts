import { solvaneLogo } from 'content-space:kit/brand'
import coast from 'content-space:asset/brand/coast-at-dawn?w=320;640&format=webp;jpg'
import { picture } from 'unplugin-content-space/picture'

document.body.innerHTML = `<img alt="${solvaneLogo.name}" src="${solvaneLogo.src}">
  ${picture(coast, { alt: coast.name, sizes: '400px' })}`
