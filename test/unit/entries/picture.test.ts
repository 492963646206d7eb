import { defaultTreeAdapter, parseFragment, type DefaultTreeAdapterTypes } from 'parse5'
import { describe, expect, test } from 'vitest'
import { picture } from '../../../src/entries/picture.js'

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

interface Shown {
  name: string
  parent: string
  attributes: Record<string, string>
}

/** Returns all elements in a markup text in document order, as a browser parses it. */
function elementsOf(markup: string): Shown[] {
  const shown = (parent: DefaultTreeAdapterTypes.ParentNode): Shown[] =>
    parent.childNodes
      .filter((node) => defaultTreeAdapter.isElementNode(node))
      .flatMap((element) => [
        {
          name: element.tagName,
          parent: parent.nodeName,
          attributes: Object.fromEntries(element.attrs.map(({ name, value }) => [name, value])),
        },
        ...shown(element),
      ])
  return shown(parseFragment(markup))
}

const handlerOf = (markup: string) => elementsOf(markup)[0]?.attributes['onload']

describe('picture', () => {
  test('makes a picture of several formats, in order, with sizes on each', () => {
    const elements = elementsOf(picture(hero, { sizes: '50vw', class: 'hero' }))
    const sources = elements.filter(({ name, parent }) => name === 'source' && parent === 'picture')
    expect(sources.map(({ attributes: { type } }) => type)).toEqual(['image/avif', 'image/webp'])
    expect(elements.filter(({ attributes: { sizes } }) => sizes === '50vw')).toHaveLength(3)
    const image = elements.find(({ name, parent }) => name === 'img' && parent === 'picture')
    expect(image?.attributes).toMatchObject({
      class: 'hero',
      alt: hero.name,
      loading: 'lazy',
      decoding: 'async',
      width: '1280',
    })
  })

  test('has the sources for dark backgrounds first, or both pictures if a class controls dark mode', () => {
    const dark = { src: '/dark.png', width: 10, height: 5 }
    const logo = { name: 'Logo', src: '/logo.png', dark }
    const media = '(prefers-color-scheme: dark)'
    expect(
      elementsOf(picture(logo)).map(({ name, attributes: { src, srcset, media: own } }) => [name, src ?? srcset, own]),
    ).toEqual([
      ['picture', undefined, undefined],
      ['source', '/dark.png', media],
      ['img', '/logo.png', undefined],
    ])
    const sources = elementsOf(picture({ ...hero, dark: { ...dark, sources: hero.sources } })).filter(
      ({ name }) => name === 'source',
    )
    expect(sources.map(({ attributes }) => [attributes['type'], attributes['media']])).toEqual([
      ['image/avif', media],
      ['image/webp', media],
      ['image/avif', undefined],
      ['image/webp', undefined],
    ])
    const both = elementsOf(picture(logo, { darkMode: '.dark', class: 'own', loading: 'eager', alt: 'Acme', id: 'i' }))
    expect(
      both.map(({ name, attributes: { src, class: names, loading, alt, id } }) => [name, src, names, loading, alt, id]),
    ).toEqual([
      ['img', '/logo.png', 'own content-space-light', 'lazy', 'Acme', 'i'],
      ['img', '/dark.png', 'own content-space-dark', 'lazy', 'Acme', undefined],
    ])
  })

  test('makes an image of one format', () => {
    expect(picture({ name: 'Logo', src: '/logo.svg' }, { alt: '', loading: 'eager' })).toBe(
      '<img src="/logo.svg" alt="" loading="eager" decoding="async">',
    )
  })

  test('escapes attribute values', () => {
    const elements = elementsOf(picture({ name: '"><script>x</script>', src: '/a?b=1&c="' }, { title: `'"<` }))
    expect(elements).toEqual([
      expect.objectContaining({
        name: 'img',
        attributes: expect.objectContaining({ src: '/a?b=1&c="', title: `'"<` }),
      }),
    ])
  })

  test('shows the densest file at the requested size', () => {
    const icon = { name: 'Icon', src: '/2.png', width: 640, height: 427, srcset: '/1.png 1x, /2.png 2x' }
    expect(elementsOf(picture(icon))[0]?.attributes).toMatchObject({ width: '320', height: '214' })
  })

  test('shows its placeholder until the picture has loaded, by a handler that can be replaced', () => {
    const icon = { name: 'Icon', src: '/2.png', placeholder: 'data:image/png;base64,AA==' }
    expect(handlerOf(picture(icon))).toBe('this.style.background="none"')
    expect(handlerOf(picture(icon, { onload: 'a()' }))).toBe('a()')
    for (const more of [{ onload: undefined }, { style: 'color:red' }])
      expect(handlerOf(picture(icon, more))).toBeUndefined()
    expect(handlerOf(picture(hero))).toBeUndefined()
    expect(elementsOf(picture(icon))[0]?.attributes['style']).toContain('url(data:image/png;base64,AA==)')
  })
})
