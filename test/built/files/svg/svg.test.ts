import { fc } from '../../../support/random.js'
import { defaultTreeAdapter, parse, parseFragment, serialize } from 'parse5'
import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { findActive } from '../../../../src/files/svg/check.js'
import { sanitizeSvg } from '../../../../src/files/svg/sanitize.js'
import { openFiles, planned, type TestFiles } from '../../../support/files.js'
import { halvesSvg, near, pixel } from '../../../support/pictures.js'
import { harmless, hostile, puzzling, svg, untidy } from '../../../support/svg-corpus.js'

const asset = { type: 'SVG', width: 90, height: 60, name: 'Logo' }

async function emitted(text: string | Buffer, query = '', policy: 'sanitize' | 'strict' | 'trust' = 'sanitize') {
  return emittedBy(await openFiles({ SVG: Buffer.from(text) }), asset.name, query, policy)
}

async function emittedBy(
  files: TestFiles,
  uuid: string,
  query: string,
  policy: 'sanitize' | 'strict' | 'trust' = 'sanitize',
) {
  const { src, value } = planned({ ...asset, uuid }, query, policy)
  if (!src) throw new Error('no src')
  return {
    text: value ? await files.value(value) : Buffer.from(await files.bytes(src)).toString(),
    warnings: files.warnings,
  }
}

describe('harmless files', () => {
  test.each(Object.entries({ ...harmless, ...puzzling }))('pass byte for byte: %s', async (_, text) => {
    expect(findActive(Buffer.from(text))).toEqual([])
    for (const policy of ['sanitize', 'strict'] as const)
      expect(await emitted(text, '', policy)).toEqual({ text, warnings: [] })
  })

  test('may be empty', async () => {
    const files = await openFiles({ SVG: Buffer.alloc(0) })
    const { src } = planned({ ...asset, size: 0 }, '')
    expect(src && (await files.bytes(src))).toHaveLength(0)
  })
})

describe('hostile files', () => {
  test.each(Object.entries(hostile))('are found: %s', (_, text) => {
    expect(findActive(text)).not.toEqual([])
  })

  test('are more than 123', () => {
    expect(Object.keys(hostile).length).toBeGreaterThan(123)
  })

  test.each(['', 'raw', 'svgo', 'inline'])(
    'are sanitised as ?%s with a warning, or refused when nothing remains',
    async (query) => {
      const content: Record<string, Buffer> = { SVG: Buffer.of() }
      const files = await openFiles(content)
      for (const [name, text] of Object.entries(hostile)) {
        content['SVG'] = text
        files.warnings.length = 0
        const result = await emittedBy(files, name, query).catch((error: unknown) => ({ error }))
        if ('error' in result) {
          expect([name, result.error]).toEqual([
            name,
            expect.objectContaining({ code: expect.stringMatching(/^(conversionFailed|contentMismatch|truncated)$/) }),
          ])
          continue
        }
        const { text: clean, warnings } = result
        const plain = clean.startsWith('data:') ? Buffer.from(clean.split(',')[1] ?? '', 'base64') : Buffer.from(clean)
        expect([name, findActive(plain)]).toEqual([name, []])
        expect(plain.toString()).not.toMatch(/hit\(|evil\.example/)
        const [sanitized, ...notes] = warnings
        expect(sanitized).toMatch(/^Logo is an SVG that contains .*sanitized/)
        expect(
          notes.filter((note) => !note.startsWith('Logo is not optimized: ') && !note.startsWith('Logo loses ')),
        ).toEqual([])
      }
    },
  )

  test('keep their drawing after sanitising', async () => {
    const { text } = await emitted(Buffer.from(halvesSvg).toString().replace('</svg>', '<script>hit()</script></svg>'))
    const png = await sharp(Buffer.from(text)).png().toBuffer()
    expect(near(await pixel(png, 10, 10), [255, 0, 0, 255])).toBe(true)
    expect(near(await pixel(png, 80, 10), [0, 0, 255, 255])).toBe(true)
  })

  test('are rejected under strict, and pass if trusted', async () => {
    const text = svg('<script>hit()</script>')
    await expect(emitted(text, '', 'strict')).rejects.toMatchObject({
      code: 'unsafeSvg',
      message: expect.stringContaining('Logo'),
    })
    expect(await emitted(text, '', 'trust')).toEqual({ text, warnings: [] })
  })

  test('do not change when sanitised twice', async () => {
    const { text } = await emitted(hostile['foreignObject: foreignObject'] ?? '')
    expect((await emitted(text)).text).toBe(text)
  })
})

describe('untidy files', () => {
  test.each(Object.entries(untidy))('are rewritten without changing the drawing: %s', async (_, drawing) => {
    expect(findActive(Buffer.from(drawing))).not.toEqual([])
    const { text } = await emitted(drawing)
    expect(findActive(Buffer.from(text))).toEqual([])
    const [before, after] = await Promise.all([drawing, text].map((one) => sharp(Buffer.from(one)).raw().toBuffer()))
    expect(after?.equals(before ?? Buffer.of())).toBe(true)
  })
})

describe('the sanitiser', () => {
  /** Tokens for random trees that HTML, XML, and the rules parse differently. */
  const words = fc.constantFrom(
    '<svg>',
    '</svg>',
    '<svg xmlns="http://www.w3.org/2000/svg">',
    '<g>',
    '</g>',
    '<title>',
    '</title>',
    '<desc>',
    '</desc>',
    '<style>',
    '</style>',
    '<foreignObject>',
    '</foreignObject>',
    '<p>',
    '</p>',
    '<img src=x onerror=hit()>',
    '<image srcset="a"/>',
    '<font size="1">',
    '</font>',
    '<math>',
    '<mtext>',
    '<table>',
    '<select>',
    '<template>',
    '</template>',
    '<noscript>',
    '</noscript>',
    '<script>hit()</script>',
    '<a xlink:href="#a">',
    '</a>',
    '<a href="javascript:hit()">',
    '<!--',
    '-->',
    '--!>',
    '<![CDATA[',
    ']]>',
    '<?x ',
    '?>',
    '<!DOCTYPE svg [<!ENTITY a "b">]>',
    '&a;',
    '&lt;',
    '&#0;',
    '&#128;',
    '\0',
    '\x01',
    '\r',
    '\n',
    '"',
    "'",
    '>',
    '<',
    'a',
    '@import "x";',
    'url(https://evil.example)',
    '<path id="a" onclick="hit()" d="M0 0"/>',
    '<x:g xmlns:x="http://www.w3.org/2000/svg">',
    '</x:g>',
    '<set attributeName="href" to="x"/>',
    '<g a="1" A="2"/>',
    '<g xmlns="http://www.w3.org/1999/xhtml">',
  )

  test('returns output that passes the check and does not change when sanitised again', () => {
    fc.assert(
      fc.property(fc.array(words, { maxLength: 25 }), fc.boolean(), (parts, whole) => {
        const result = sanitizeSvg(whole ? svg(parts.join('')) : parts.join(''))
        if (result === undefined) return
        expect(findActive(Buffer.from(result))).toEqual([])
        expect(sanitizeSvg(result)).toBe(result)
      }),
    )
  })

  test.each(Object.entries(hostile))('is stable: %s', (name, drawing) => {
    if (name.endsWith('of a quadratic size')) return expect(() => sanitizeSvg(drawing.toString())).toThrow('entities')
    const result = sanitizeSvg(drawing.toString())
    if (result === undefined) return
    expect(findActive(Buffer.from(result))).toEqual([])
    expect(sanitizeSvg(result)).toBe(result)
  })
})

describe('the check', () => {
  test("doesn't pass anything that a browser parses differently", () => {
    const texts = fc.array(
      fc.constantFrom(
        '<g>',
        '</g>',
        '<title>',
        '</title>',
        '<a>',
        '</a>',
        '<!-- <p> -->',
        'a',
        '&lt;',
        '<path d="M0"/>',
        '<p/>',
        '<![CDATA[b]]>',
        '<style>a{}</style>',
      ),
      { maxLength: 12 },
    )
    fc.assert(
      fc.property(
        texts,
        fc.constantFrom('', '<?xml version="1.0"?>', '<!-- a -->\n', '<!DOCTYPE svg>'),
        (parts, prolog) => {
          const text = prolog + svg(parts.join(''))
          if (findActive(Buffer.from(text)).length > 0) return
          const inBody = serialize(parseFragment(text)).replace(/^(<!--.*?-->|\s)*/, '')
          const body = defaultTreeAdapter
            .getChildNodes(parse(text))
            .flatMap((node) => ('childNodes' in node ? node.childNodes : []))
            .at(-1)
          expect(body && 'childNodes' in body && serialize(body)).toBe(inBody)
        },
      ),
    )
  })

  test('reads any input without throwing', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), fc.string(), (bytes, text) => {
        expect(findActive(bytes)).toBeInstanceOf(Array)
        expect(findActive(Buffer.from(svg(text)))).toBeInstanceOf(Array)
      }),
    )
  })
})

test('a drawing as a data URI keeps what it would lose in a page', async () => {
  const text = svg(
    '<style>@font-face{font-family:x;src:url(data:font/woff2;base64,d09GMg==)}.a:hover{fill:red}</style><filter id="f"/>',
  ).replace('<svg', '<svg filter="url(#f)" overflow="visible" class="b"')
  const { text: uri, warnings } = await emitted(text, 'inline')
  expect([uri, warnings]).toEqual([`data:image/svg+xml;base64,${Buffer.from(text).toString('base64')}`, []])
})

describe('inlined ids', () => {
  const text = svg(
    '<style>#ground{fill:red}.a{fill:blue}</style><linearGradient id="g"/><rect class="a" fill="url(#g)" style="stroke:url(#g)" aria-labelledby="t g"/>' +
      '<title id="t">T</title><use xlink:href="#ground"/><animate href="#ground" attributeName="x" begin="ground.click; g.end+1s; 0.5s" to="1"/>',
  )

  test('have a prefix, and so do all references to them', async () => {
    const { text: raw } = await emitted(text, 'raw')
    const ids = [...raw.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id)
    const prefix = ids[0]?.split('_')[0] ?? ''
    expect(ids).toEqual(['ground', 'g', 't'].map((id) => `${prefix}_${id}`))
    for (const reference of [
      '#X_ground:where(.X_scope,.X_scope *,.X_scope-use,.X_scope-use *){',
      'url(#X_g)',
      'stroke:url(#X_g)',
      'aria-labelledby="X_t X_g"',
      'href="#X_ground"',
      'X_ground.click',
      'X_g.end+1s',
      ' 0.5s',
      'class="X_a"',
      '.X_a:where(.X_scope,.X_scope *,.X_scope-use,.X_scope-use *){',
      '<rect id="X_ground" width="90" height="60" fill="red" class="X_scope-use"/>',
    ]) {
      expect(raw).toContain(reference.replaceAll('X', prefix))
    }
  })

  test('are prefixed together with the names of animations', async () => {
    const moving = svg(
      '<style>@keyframes spin{to{rotate:1turn}}.a{animation:spin 1s linear}.b{animation-name:spin,other}.spin{fill:red}</style>' +
        '<style><![CDATA[@-webkit-keyframes fade { to { opacity: 0 } }]]></style><rect class="a spin" style="animation: 2s fade"/>',
    )
    const { text: raw } = await emitted(moving, 'raw')
    const [, prefix = ''] = /@keyframes (c[\da-f]{7})-spin/.exec(raw) ?? []
    for (const use of [
      `animation:${prefix}-spin 1s linear`,
      `animation-name:${prefix}-spin,other`,
      `@-webkit-keyframes ${prefix}-fade`,
      `animation:2s ${prefix}-fade`,
    ]) {
      expect(raw).toContain(use)
    }
    expect(raw).not.toContain(`${prefix}-linear`)
  })

  const animated = svg(
    '<defs><linearGradient id="g"/><linearGradient id="g2"/></defs><title id="t">T</title><rect fill="url(#g)" width="9" height="9" aria-labelledby="t">' +
      `<animate attributeName="fill" values="url(#g); url('#g2');#add" from="url(#g)" to="url(#g2)" by="#fff" dur="1s"/>` +
      '<set attributeName="fill" to="url(#g2)"/></rect>' +
      '<use href="#ground"><animate attributeName="xlink:href" values="#ground;#other" dur="1s"/><set attributeName="href" to="#other"/></use>' +
      '<path id="other" d="M0 0h9v9z"/>',
  )

  test.each(['raw', 'raw&svgo'])('are prefixed in the values of animations, as ?%s', async (query) => {
    const { text: raw } = await emitted(animated, query, 'trust')
    const [, prefix = ''] = / id="(c[\da-f]{7})-g2"/.exec(raw) ?? []
    for (const part of [
      'id="X-g"',
      'id="X-t"',
      'id="X-other"',
      'aria-labelledby="X-t"',
      'from="url(#X-g)"',
      'to="url(#X-g2)"',
      'by="#fff"',
      'values="#X-ground;#X-other"',
      'to="#X-other"',
      `values="url(#X-g); url('#X-g2');#add"`,
    ]) {
      expect(raw).toContain(part.replaceAll('X', prefix))
    }
    expect(raw.match(/to="url/g)).toHaveLength(2)
  })

  test('are prefixed in custom properties', async () => {
    const { text: raw } = await emitted(
      svg(
        `<style>:root{--a:url(#g) ;--b: url( '#g' )}path{stroke:url(#g);fill:var(--a)}</style><linearGradient id="g"/>` +
          '<path style="--c:url(#g);fill:var(--c)"/>',
      ),
      'raw',
    )
    const [, prefix = ''] = / id="(c[\da-f]{7}-)g"/.exec(raw) ?? []
    expect(raw.split(`#${prefix}g`)).toHaveLength(5)
    expect(raw).not.toMatch(/#g/)
  })

  test.each([
    ['0s;b.end', '0s;X_b.end'],
    ['0.5s;b.end', '0.5s;X_b.end'],
    ['b.end ;a.b.begin-1s; s.click', 'X_b.end ;X_a.b.begin-1s; X_s.click'],
    ['b.repeat(2);accessKey(b);00:01;indefinite', 'X_b.repeat(2);accessKey(b);00:01;indefinite'],
    ['click;0.end', 'click;X_0.end'],
  ])('are prefixed in the times %s', async (times, expected) => {
    const { text: raw } = await emitted(svg(`<animate id="b" begin="${times}" end="${times}"/>`), 'raw')
    const [, prefix = ''] = / id="(c[\da-f]{7})_b"/.exec(raw) ?? []
    for (const name of ['begin', 'end']) expect(raw).toContain(` ${name}="${expected.replaceAll('X', prefix)}"`)
  })

  test('are kept in an optimised file that animates them', async () => {
    const { text: file } = await emitted(animated, 'svgo', 'trust')
    for (const id of ['g', 'g2', 't', 'other']) expect(file).toContain(` id="${id}"`)
  })

  test('are unchanged in files', async () => {
    expect((await emitted(text)).text).toBe(text)
  })

  test('keep their prefix when optimised', async () => {
    const { text: raw } = await emitted(text, 'raw&svgo')
    expect(raw).toMatch(/id="c[\da-f]{7}_/)
    expect(raw.length).toBeLessThan((await emitted(text, 'raw')).text.length)
  })
})
