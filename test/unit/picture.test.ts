import { readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import { transform } from 'esbuild'
import { JSDOM } from 'jsdom'
import { describe, expect, it } from 'vitest'
import { attributes, picture } from '../../src/picture.js'

const hero = {
  name: 'Hero "Photo" & <friends>',
  src: '/hero-1280.webp',
  width: 1280,
  height: 720,
  srcset: '/hero-640.webp 640w, /hero-1280.webp 1280w',
  sources: [
    { type: 'image/avif', srcset: '/hero-640.avif 640w, /hero-1280.avif 1280w' },
    { type: 'image/webp', srcset: '/hero-640.webp 640w, /hero-1280.webp 1280w' },
  ],
}

const parse = (markup: string) => new JSDOM(markup).window.document.body

describe('picture', () => {
  it('makes a picture of several formats, in order, with sizes on each', () => {
    const body = parse(picture(hero, { sizes: '50vw', class: 'hero' }))
    expect([...body.querySelectorAll('picture > source')].map((source) => source.getAttribute('type'))).toEqual(['image/avif', 'image/webp'])
    expect([...body.querySelectorAll('[sizes="50vw"]')]).toHaveLength(3)
    const image = body.querySelector('picture > img.hero')
    expect(image?.getAttribute('alt')).toBe(hero.name)
    expect(image?.getAttribute('loading')).toBe('lazy')
    expect(image?.getAttribute('decoding')).toBe('async')
    expect(image?.getAttribute('width')).toBe('1280')
  })

  it('makes an image of one format', () => {
    expect(picture({ name: 'Logo', src: '/logo.svg' }, { alt: '', loading: 'eager' })).toBe(
      '<img src="/logo.svg" alt="" loading="eager" decoding="async">',
    )
  })

  it('lets nothing out of an attribute', () => {
    const body = parse(picture({ name: '"><script>x</script>', src: '/a?b=1&c="' }, { title: `'"<` }))
    expect(body.children).toHaveLength(1)
    expect(body.querySelector('img')?.getAttribute('src')).toBe('/a?b=1&c="')
    expect(body.querySelector('img')?.getAttribute('title')).toBe(`'"<`)
  })

  it('shows the densest file at the size it was asked for', () => {
    const { img } = attributes({ name: 'Icon', src: '/2.png', width: 640, height: 427, srcset: '/1.png 1x, /2.png 2x' })
    expect(img).toMatchObject({ width: 320, height: 214 })
  })

  it('shows the placeholder while the file loads', () => {
    expect(attributes({ name: 'Icon', src: '/2.png', placeholder: 'data:image/png;base64,AA==' }).img['style']).toContain('url(data:image/png;base64,AA==)')
  })

  it('is under 1 kB', async () => {
    const { code } = await transform(readFileSync('dist/picture.js', 'utf8'), { minify: true, format: 'esm' })
    expect(code.length).toBeLessThan(1024)
    expect(gzipSync(code).length).toBeLessThan(700)
  })
})
