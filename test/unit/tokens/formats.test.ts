import { generate, parse, walk } from 'css-tree'
import { runInThisContext } from 'node:vm'
import { parseSync } from 'oxc-parser'
import { compileString } from 'sass'
import { describe, expect, test } from 'vitest'
import { formats as all } from '../../../src/tokens/formats/formats.js'
import { isWritten, type TokenSheet } from '../../../src/tokens/formats/sheet.js'
import { hostileTexts } from '../../support/hostile-texts.js'
import { id } from '../../support/memory-space.js'
import { fc } from '../../support/random.js'
import { colorToken, fontToken, tokenSheet } from '../../support/tokens.js'

const {
  css: { write: css },
  dtcg: { write: dtcg },
  scss: { write: scss },
  tailwind: { write: tailwind },
  ts: { write: ts },
} = all
const formats = Object.entries(all).map(([name, { write }]) => [name, write] as const)

const coral = colorToken('Coral', { group: ['Colours', 'Primary'] })
const mist = colorToken('Mist', {
  group: ['Colours'],
  alpha: 0.4,
  css: 'rgb(229 96 63 / 40%)',
  notes: 'For "quotes"',
  uuid: id(3),
})
const inter = fontToken('Inter Light', { group: ['Fonts'] })
const sheet = tokenSheet({ coral, mist }, { interLight: inter })

/** Returns the text after the first comment. */
const body = (text: string): string => text.replace(/^(?:\/\*[\s\S]*?\*\/\n|(?:\/\/.*\n)+)\n?/, '')

const face = `
@font-face {
  font-family: "Inter";
  font-weight: 300;
  font-style: normal;
  font-display: swap;
  src: url("./fonts/inter-light.woff2") format("woff2");
}
`

describe('css', () => {
  test('declares custom properties by group, and font faces', () => {
    expect(body(css(sheet))).toBe(`:root {
  /* Colours, Primary */
  --brand-coral: #e5603f;
  /* Colours */
  --brand-mist: rgb(229 96 63 / 40%);
}
${face}`)
  })

  test('omits an empty prefix', () => {
    expect(css(tokenSheet({ coral }, {}, { prefix: '' }))).toContain('  --coral: #e5603f;')
  })

  test('writes the range of weights of a variable font', () => {
    const variable = fontToken('Inter', { weightRange: [100, 900], style: 'italic', format: 'ttf' })
    const text = css(tokenSheet({}, { variable }))
    expect(text).toContain('font-weight: 100 900;')
    expect(text).toContain('font-style: italic;')
    expect(text).toContain('format("truetype")')
  })

  test('writes the width of a font, and the ranges of widths and slants of a variable one', () => {
    const condensed = fontToken('Inter', { stretch: 87.5 })
    const flex = fontToken('Flex', { stretch: 100, stretchRange: [25, 151], slantRange: [0, 10] })
    const wide = tokenSheet({}, { condensed, flex, normal: fontToken('Lora') })
    for (const write of [css, scss, tailwind]) {
      const [first = '', second = '', third = ''] = write(wide).split('@font-face').slice(1)
      expect(first).toContain('font-stretch: 87.5%;')
      expect(second).toContain('font-stretch: 25% 151%;')
      expect(second).toContain('font-style: oblique 0deg 10deg;')
      expect(third).not.toContain('font-stretch')
    }
    expect(dtcg(wide)).toContain('"stretch": 87.5')
    expect(ts(wide)).toContain('stretch:87.5')
  })

  test('imports style sheets of Google Fonts first, each once, and no other style sheets', () => {
    const google = 'https://fonts.googleapis.com/css2?family=Inter:wght@300;700&display=swap'
    const addresses = [google, google, 'https://evil.example/a.css', 'https://fonts.googleapis.com.evil.example/', '"']
    addresses.push('https://user:word@fonts.googleapis.com/css2', 'https://user@fonts.googleapis.com/css2')
    const fonts = Object.fromEntries(
      addresses.map((stylesheet, at) => [`font${at}`, fontToken('Inter', { stylesheet, address: undefined })]),
    )
    expect(body(css(tokenSheet({ coral }, fonts)))).toBe(`@import url("${google}");

:root {
  /* Colours, Primary */
  --brand-coral: #e5603f;
}
`)
  })

  test('explains in its first comment where its ids work', () => {
    const withId = fontToken('Inter', { address: { text: 'content-space:asset/brand/inter', relative: false } })
    for (const render of [css, scss, tailwind]) {
      expect(render(tokenSheet({}, { withId })).split(/\*\/|\n\n/)[0]).toContain('--fonts')
      expect(render(sheet)).not.toContain('--fonts')
    }
  })
})

test('tailwind declares a theme without a prefix', () => {
  const bold = fontToken('Inter Bold', { weight: 700, uuid: id(4) })
  expect(body(tailwind(tokenSheet({ coral }, { inter, bold }, { prefix: '' })))).toBe(`@theme {
  /* Colours, Primary */
  --color-coral: #e5603f;
  --font-inter: "Inter";
}
${face}${face.replace('300', '700')}`)
  expect(tailwind(sheet)).toContain('--color-brand-coral: #e5603f;')
})

const use = (text: string, rest: string): string => compileString(`${text}\n${rest}`).css

describe('scss', () => {
  test('declares variables, and a map of all colors', () => {
    const text = scss(sheet)
    expect(text).toContain('\n// Colours, Primary\n$brand-coral: #e5603f;\n// Colours\n$brand-mist: rgb(')
    const compiled = use(`@use "sass:map";\n${text}`, 'a { color: $brand-coral; fill: map.get($brand, "mist") }')
    expect(compiled).toContain('color: #e5603f;')
    expect(compiled).toContain(face.trim())
    expect(use(text, '@each $name, $color in $brand { .#{$name} { color: $color } }')).toContain('.mist {')
  })

  test("without a prefix, variable names are unique and don't begin with a digit", () => {
    const colors = { _100: colorToken('100'), brand: colorToken('brand', { css: '#000000' }) }
    const text = scss(tokenSheet(colors, {}, { prefix: '' }))
    const compiled = use(
      text,
      'a { color: $_100; fill: $brand } @each $name, $c in $brand-colors { .c-#{$name} { e: $c } }',
    )
    expect(compiled).toContain('color: #e5603f;')
    expect(compiled).toContain('fill: #000000;')
    expect(compiled).toContain('.c-100')
  })
})

test('ts has the values of the virtual module, in order', () => {
  const module = evaluate(ts(tokenSheet({ b: mist, a: coral })))
  expect(module).toEqual({ colors: { b: mist, a: coral }, fonts: {} })
  expect(Object.keys(module.colors)).toEqual(['b', 'a'])
  const { address: _, ...font } = inter
  expect(ts(sheet)).toContain('src:new URL("./fonts/inter-light.woff2", import.meta.url).href')
  expect(ts(tokenSheet({}, { font }))).not.toContain('src:')
})

const read = (given: TokenSheet): unknown => JSON.parse(dtcg(given))
const alias = (key: string, type: string, target: string): object => ({
  $type: type,
  $value: `{${target}}`,
  $deprecated: `Renamed: use ${key}.`,
})
const extensions = (uuid: string, more: object = {}): object => ({
  $extensions: { 'content-space': { uuid, ...more } },
})

describe('dtcg', () => {
  test('has sections and headings as groups', () => {
    expect(read({ ...sheet, prefix: '' })).toEqual({
      $description: expect.stringContaining('Written by content-space'),
      colours: {
        primary: {
          coral: {
            $type: 'color',
            $value: { colorSpace: 'srgb', components: [0.89804, 0.37647, 0.24706], alpha: 1, hex: '#e5603f' },
            ...extensions(coral.uuid),
          },
        },
        mist: {
          $type: 'color',
          $value: { colorSpace: 'srgb', components: [0.89804, 0.37647, 0.24706], alpha: 0.4, hex: '#e5603f' },
          $description: 'For "quotes"',
          ...extensions(mist.uuid),
        },
      },
      fonts: {
        'inter-light': {
          family: {
            $type: 'fontFamily',
            $value: 'Inter',
            ...extensions(inter.uuid, { src: './fonts/inter-light.woff2' }),
          },
          weight: { $type: 'fontWeight', $value: 300, ...extensions(inter.uuid, { style: 'normal' }) },
        },
      },
    })
  })

  test('keeps the order of names that are numbers', () => {
    const colors = { _900: colorToken('900'), _50: colorToken('50'), _100: colorToken('100') }
    expect([...dtcg(tokenSheet(colors)).matchAll(/"(\d+)": \{/g)].map(([, name]) => name)).toEqual(['900', '50', '100'])
  })

  test('keeps the order of tokens and groups', () => {
    const paper = colorToken('Paper', { group: ['Colours', 'Grounds'], uuid: id(5) })
    const sky = { ...mist, slug: 'sky', uuid: id(6) }
    const written = dtcg(tokenSheet({ mist, paper, sky }, {}, { prefix: '' }))
    expect(written.match(/mist|grounds|paper|sky/g)).toEqual(['mist', 'grounds', 'paper', 'sky'])
  })

  test('distinguishes a token and a group with the same name, in any order', () => {
    const light = colorToken('Light', { group: ['Brand', 'Coral'], uuid: id(5) })
    const same = { ...coral, group: ['Brand'] }
    const name = `coral-${coral.uuid.slice(0, 8).toLowerCase()}`
    for (const colors of [
      { light, same },
      { same, light },
    ]) {
      expect(read(tokenSheet(colors, {}, { prefix: '' }))).toMatchObject({
        brand: { coral: { light: { $type: 'color' } }, [name]: { $type: 'color' } },
      })
    }
  })

  test('keeps all tokens even if their names look like distinguished names', () => {
    const clash = colorToken('x', { slug: `coral-${coral.uuid.slice(0, 8).toLowerCase()}`, uuid: id(6) })
    const light = colorToken('Light', { group: ['Coral'], uuid: id(5) })
    const colors = { a: { ...coral, group: [] }, clash, light }
    expect(dtcg(tokenSheet(colors)).match(/"\$type": "color"/g)).toHaveLength(3)
  })

  test("doesn't contain references in texts from the service", () => {
    const font = fontToken('Inter', { family: '{colours.coral}', notes: 'Like {colours.coral}' })
    const empty = fontToken('Empty', { family: '{}', uuid: id(9) })
    const text = dtcg(tokenSheet({ coral }, { font, empty }))
    expect(text).not.toMatch(/\{[^\s}]+\}|"\$value": ""/)
    expect(text).toContain('"$value": "colours.coral"')
    expect(text).toContain('"$value": "empty"')
  })

  test("doesn't contain comment endings in texts from the service, because tools write them into comments", () => {
    const color = colorToken('x', { slug: 'x', notes: 'Never */ nor -->\u2028alert(1)\r\n\rno' })
    expect(dtcg(tokenSheet({ color }))).toContain(String.raw`"$description": "Never * / nor -- >\nalert(1)\n\nno"`)
  })

  test('accepts names of any text as groups', () => {
    const names = [...hostileTexts, '$value', '{a.b}', 'a.b', '__proto__', 'constructor', '']
    const colors = Object.fromEntries(
      names.map((name, at) => [`c${at}`, colorToken('x', { slug: `c-${at}`, group: [name, name], uuid: id(at) })]),
    )
    const text = dtcg(tokenSheet(colors, {}, { prefix: '' }))
    const keys = new Set<string>()
    JSON.parse(text, (key, value: unknown) => (/^\d+$/.test(key) || keys.add(key), value))
    const own = ['$description', '$type', '$value', '$extensions', 'content-space', 'uuid', '']
    const standard = [...own, 'colorSpace', 'components', 'alpha', 'hex']
    for (const key of keys) if (!standard.includes(key)) expect(key).toMatch(/^[^$.{}][^.{}]*$/)
    expect(text.match(/"\$type": "color"/g)).toHaveLength(names.length)
  })
})

describe('former names', () => {
  const former = new Map([
    [coral.uuid, ['red', '100']],
    [inter.uuid, ['light']],
  ])
  const renamed = (prefix: string): TokenSheet => tokenSheet({ coral }, { interLight: inter }, { former, prefix })

  test('are variables with the value of the current one', () => {
    expect(css(renamed('brand'))).toContain(`  --brand-coral: #e5603f;
  --brand-red: var(--brand-coral); /* Deprecated, renamed to coral */
  --brand-100: var(--brand-coral);`)
    expect(tailwind(renamed(''))).toContain('  --color-red: #e5603f; /* Deprecated, renamed to coral */\n')
    const compiled = use(
      scss(renamed('')),
      'a { color: $red; fill: $_100 } @each $name, $c in $brand { .c-#{$name} { e: $c } }',
    )
    expect(compiled).toContain('color: #e5603f;\n  fill: #e5603f;')
    expect(compiled).toContain('.c-red {\n  e: #e5603f;')
  })

  test('are tokens that refer to the current one, unless a token has their key', () => {
    expect(read(renamed('b'))).toMatchObject({
      b: {
        colours: { primary: { red: alias('coral', 'color', 'b.colours.primary.coral') } },
        fonts: {
          light: {
            family: alias('family', 'fontFamily', 'b.fonts.inter-light.family'),
            weight: alias('weight', 'fontWeight', 'b.fonts.inter-light.weight'),
          },
        },
      },
    })
    const other = colorToken('Red', { group: ['Colours', 'Primary'], uuid: id(7) })
    expect(
      read({
        ...renamed(''),
        colors: new Map([
          ['coral', coral],
          ['red', other],
        ]),
      }),
    ).toMatchObject({
      colours: { primary: { red: { $value: { hex: '#e5603f' } } } },
    })
  })

  test('are deprecated keys in a script', () => {
    const given = { ...renamed(''), former: new Map([[coral.uuid, ['red']]]) }
    expect(evaluate(ts(given)).colors).toEqual({ coral, red: coral })
    expect(ts(given)).toContain('\n  /** @deprecated Renamed: use coral. */\n  red: {')
  })

  test('of fonts are variables of Tailwind if the slug is one', () => {
    const other = fontToken('Other', { family: 'INTER', uuid: id(8) })
    const given = tokenSheet({}, { inter, other }, { former: new Map([[id(8), ['old']]]), prefix: '' })
    expect(tailwind(given)).toContain('  --font-inter: "Inter";\n  --font-other: "INTER";\n  --font-old: "INTER";\n')
  })
})

/** Returns a token file in which every text from the service is hostile. */
const hostileSheet = (text: string): TokenSheet => {
  const about = { name: text, notes: text, group: [text, text] }
  return tokenSheet(
    { coral: colorToken('coral', about) },
    {
      inter: fontToken('inter', { ...about, family: text }),
      other: fontToken('other', { ...about, stylesheet: `https://fonts.googleapis.com/css2?family=${text}` }),
    },
    { kit: text, prefix: '' },
  )
}

const anyText = fc.oneof(fc.constantFrom(...hostileTexts), fc.string({ unit: 'binary' }), fc.string())

describe('hostile texts', () => {
  test.each(formats)('%s is recognized as written, and has no invisible characters', (_, render) => {
    fc.assert(
      fc.property(anyText, (text) => {
        const file = render(hostileSheet(text))
        expect(isWritten(file)).toBe(true)
        expect(file).not.toMatch(/(?!\n)[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u)
        if (render !== dtcg) expect(file).not.toContain('</')
      }),
    )
  })

  test.each([
    ['css', css],
    ['tailwind', tailwind],
  ])('%s stays a style sheet of the same rules', (_, render) => {
    fc.assert(
      fc.property(anyText, (text) => {
        const errors: unknown[] = []
        const tree = parse(render(hostileSheet(text)), { onParseError: (error) => errors.push(error) })
        const kinds: string[] = []
        walk(tree, (node) => void (/^(?:Rule|Atrule|Declaration)$/.test(node.type) && kinds.push(node.type)))
        expect(errors).toEqual([])
        const extra = render === tailwind ? kinds.length - 15 : 0
        expect(kinds.length - extra).toBe(15)
        expect(kinds.filter((kind) => kind !== 'Declaration')).toHaveLength(4)
      }),
    )
  })

  test('scss compiles to the same family as css', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const given = hostileSheet(text)
        expect(familiesIn(compileString(scss(given)).css)).toEqual(familiesIn(css(given)))
      }),
      { numRuns: 200 },
    )
  })

  test('ts is a module with the same texts', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const code = ts(hostileSheet(text))
        expect(parseSync('tokens.ts', code).errors).toEqual([])
        const { colors } = evaluate(code)
        expect(colors).toMatchObject({ coral: { name: text, notes: text, group: [text, text] } })
      }),
    )
  })

  test('dtcg has the same texts', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const values: unknown[] = []
        JSON.parse(dtcg(hostileSheet(text)), (key, value: unknown) => (key === '$value' && values.push(value), value))
        // Texts in braces are references.
        expect(values).toContainEqual(text.replace(/[{}]/g, '') || 'inter')
      }),
    )
  })
})

test('recognizes only its own files', () => {
  for (const [, render] of formats) expect(isWritten(render(sheet))).toBe(true)
  for (const text of ['', '/* mine */', ':root {}', '{}', '{ "$description": "mine" }', 'export const a = 1'])
    expect(isWritten(text)).toBe(false)
})

/** Runs a file of constants as a script. */
function evaluate(code: string): Record<'colors' | 'fonts', object> {
  const script = code
    .replaceAll(/^\} as const$|^export const /gm, (part) => (part.startsWith('}') ? '}' : 'const '))
    .replaceAll('{} as const', '{}')
    .replaceAll('import.meta.url', '"file:///a"')
    .replaceAll(') as string', ')')
  return runInThisContext(`(() => {\n${script}\nreturn { colors, fonts } })()`)
}

/** Returns the decoded families of `@font-face` rules. */
function familiesIn(text: string): string[] {
  const families: string[] = []
  walk(parse(text), (node) => {
    if (node.type === 'Declaration' && node.property === 'font-family')
      families.push(generate(node.value).replace(/^["']|["']$/g, ''))
  })
  return families
}
