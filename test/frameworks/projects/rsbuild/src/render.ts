import { solvaneLogo } from 'content-space:kit/brand'
import coast from 'content-space:asset/brand/coast-at-dawn?w=320;640&format=webp;jpg&placeholder=color'
import leaf from 'content-space:asset/brand/leaf?raw'
import { picture } from 'unplugin-content-space/picture'

/** Returns the page's markup, both on the server and in the browser. */
export function render(): string {
  return `<p data-content="logo"><img alt="${solvaneLogo.name}" src="${solvaneLogo.src}"></p>
    <p data-content="coast">${picture(coast, { alt: coast.name, sizes: '400px' })}</p>
    <p data-content="leaf">${leaf}</p>`
}
