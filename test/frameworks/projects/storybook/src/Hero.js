import { createElement } from 'react'
import { solvaneLogo } from 'content-space:kit/brand'
import coast from 'content-space:asset/brand/coast-at-dawn?w=320;640&format=webp;jpg'
import leaf from 'content-space:asset/brand/leaf?raw'

export function Hero() {
  const sources = coast.sources.map(({ type, srcset }) =>
    createElement('source', { key: type, type, srcSet: srcset, sizes: '400px' }),
  )
  return createElement(
    'main',
    {},
    createElement('img', { alt: solvaneLogo.name, src: solvaneLogo.src }),
    createElement('picture', {}, sources, createElement('img', { alt: coast.name, src: coast.src, sizes: '400px' })),
    createElement('span', { 'data-content': 'leaf', dangerouslySetInnerHTML: { __html: leaf } }),
  )
}
