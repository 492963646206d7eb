import { describe, expect, test } from 'vitest'
import { cssOf, readColor, readColorValue, writeColorEntry } from '../../../src/space/color.js'
import { fc } from '../../support/random.js'

/** Converts HSB to sRGB with the HSV formula f(n) = V − V·S·max(0, min(k, 4 − k, 1)), independently of the library. */
function reference(hue: number, saturation: number, brightness: number): number[] {
  const [s, b] = [saturation / 100, brightness / 100]
  return [5, 3, 1].map((n) => {
    const k = (n + hue / 60) % 6
    return (b - b * s * Math.max(0, Math.min(k, 4 - k, 1))) * 255
  })
}

const entry = (hue: number, saturation: number, brightness: number, alpha = 100) => {
  return { name: 'Coral', hue, saturation, brightness, alpha, coverage: 100 }
}

const levels = [0, 12.5, 50, 73, 100]

describe('HSB', () => {
  test('is converted to sRGB for all hues', () => {
    const wrong: object[] = []
    for (let hue = 0; hue <= 360; hue += 0.5) {
      for (const saturation of levels) {
        for (const brightness of levels) {
          const { rgb, hex, hsb } = readColorValue(entry(hue, saturation, brightness)) ?? expect.fail()
          const expected = reference(hue, saturation, brightness)
          const isClose = rgb.every((channel, at) => Math.abs(channel - (expected[at] ?? NaN)) <= 0.5 + 1e-9)
          const isWritten = hex === `#${rgb.map((channel) => channel.toString(16).padStart(2, '0')).join('')}`
          const isKept = hsb.hue === hue && hsb.saturation === saturation && hsb.brightness === brightness
          if (!isClose || !isWritten || !isKept) wrong.push({ hue, saturation, brightness, rgb, hex, hsb })
        }
      }
    }
    expect(wrong).toEqual([])
  })

  test.each([
    [0, 100, 100, '#ff0000'],
    [60, 100, 100, '#ffff00'],
    [120, 100, 50, '#008000'],
    [180, 100, 100, '#00ffff'],
    [240, 100, 100, '#0000ff'],
    [300, 100, 100, '#ff00ff'],
    [360, 100, 100, '#ff0000'],
    [11.93, 72.49, 89.8, '#e5603f'],
    [200, 0, 100, '#ffffff'],
    [200, 100, 0, '#000000'],
  ])('%d %d %d is %s', (hue, saturation, brightness, hex) => {
    expect(readColorValue(entry(hue, saturation, brightness))?.hex).toBe(hex)
  })

  test('of any color of eight bits is that color again', () => {
    const byte = fc.integer({ min: 0, max: 255 })
    fc.assert(
      fc.property(byte, byte, byte, byte, (r, g, b, a) => {
        const hex = `#${[r, g, b, a].map((channel) => channel.toString(16).padStart(2, '0')).join('')}`
        const color = readColorValue(hex) ?? expect.fail()
        expect(color.hex).toBe(hex.slice(0, 7))
        expect(Math.round(color.alpha * 255)).toBe(a)
        expect(readColorValue(writeColorEntry('Any', color))).toEqual(color)
      }),
    )
  })
})

describe('other shapes', () => {
  test.each([
    ['a color of CSS', '#E5603F'],
    ['three digits', '#e63', '#ee6633'],
    ['white space', ' #e5603f\n'],
    ['a name', 'Tomato', '#ff6347'],
    ['a function', 'rgb(229, 96, 63)'],
    ['a function with spaces', 'rgb(229 96 63)'],
    ['a function in capitals', 'RGB(229, 96, 63)'],
    ['a function with a capital', 'Oklch(0 0 0)', '#000000'],
    ['a hue', 'hsl(240 100% 50%)', '#0000ff'],
    ['a color outside of sRGB', 'color(display-p3 1 0 0)', '#ff0000'],
    ['numbers that CSS clamps', 'rgb(300 -5 0)', '#ff0000'],
    ['an object', { hex: '#E5603F' }],
    ['an object without #', { hex: 'E5603F', name: 'Coral' }],
  ])('%s', (_, value, hex = '#e5603f') => {
    expect(readColorValue(value)).toMatchObject({ hex, alpha: 1 })
  })

  test('are read with their alpha', () => {
    expect(readColorValue('#e5603f66')).toMatchObject({ hex: '#e5603f', alpha: 0.4 })
    expect(readColorValue({ hex: 'e563' })).toMatchObject({ hex: '#ee5566', alpha: 0.2 })
    expect(readColorValue('rgb(229 96 63 / 12.5%)')).toMatchObject({ hex: '#e5603f', alpha: 0.125 })
    expect(readColorValue('transparent')).toMatchObject({ hex: '#000000', alpha: 0 })
    expect(readColorValue(entry(0, 100, 100, 40))).toMatchObject({ hex: '#ff0000', alpha: 0.4 })
    expect(readColorValue({ ...entry(0, 100, 100), alpha: undefined })).toMatchObject({ alpha: 1 })
  })

  test('the color of an asset is its first entry, else meta.hex', () => {
    const meta = { hex: '#00ff00' }
    expect(readColor({ colors: ['#0000ff', '#ff0000'], meta })?.hex).toBe('#0000ff')
    expect(readColor({ colors: [], meta })?.hex).toBe('#00ff00')
    expect(readColor({ colors: [{ cmyk: [0, 1, 1, 0] }], meta })?.hex).toBe('#00ff00')
    expect(readColor({ colors: [], meta: undefined })).toBeUndefined()
  })
})

describe("values that aren't colors", () => {
  test.each([
    undefined,
    null,
    0xe5603f,
    '',
    'Coral Reef',
    'E5603F',
    'beef',
    '/0A',
    '#e5603',
    'currentColor',
    'var(--coral)',
    'rgb(1e999 0 0)',
    'rgb(1 2 3 / none)',
    [],
    ['#e5603f'],
    { hex: 7 },
    { hex: 'coral' },
    { hex: '#12345' },
    entry(361, 50, 50),
    entry(-1, 50, 50),
    entry(0, 101, 50),
    entry(0, 50, -0.5),
    entry(0, 50, 50, 120),
    entry(Number.NaN, 50, 50),
    entry(0, Infinity, 50),
    { ...entry(0, 50, 50), hue: '20' },
    { ...entry(0, 50, 50), brightness: undefined },
    { hue: 1, saturation: 1 },
  ])('%j', (value) => {
    expect(readColorValue(value)).toBeUndefined()
  })

  test('any value is either a color of finite numbers or not a color', () => {
    const number = fc.oneof(fc.double(), fc.double({ min: -10, max: 400 }))
    const text = fc.oneof(
      fc.string(),
      fc
        .tuple(fc.constantFrom('rgb', 'rgba', 'hsl', 'hwb', 'lab', 'oklch', 'color'), number, number, number, number)
        .map(([name, ...values]) => `${name}(${values.slice(0, 3).join(' ')} / ${values[3]})`),
      fc.integer({ min: 0, max: 0xffffffff }).map((value) => `#${value.toString(16)}`),
    )
    const value = fc.oneof(
      fc.anything(),
      text,
      fc.record({ hex: text }),
      fc.record({ hue: number, saturation: number, brightness: number, alpha: number }, { requiredKeys: [] }),
    )
    fc.assert(
      fc.property(value, (given) => {
        const color = readColorValue(given)
        if (color === undefined) return
        expect(color.hex).toMatch(/^#[\da-f]{6}$/)
        expect(cssOf(color)).toMatch(/^#[\da-f]{6}$|^rgb\(\d+ \d+ \d+ \/ \d+(\.\d+)?%\)$/)
        const { hue, saturation, brightness } = color.hsb
        for (const [found, max] of [
          [hue, 360],
          [saturation, 100],
          [brightness, 100],
          [color.alpha, 1],
        ] as const) {
          expect(found).toBeGreaterThanOrEqual(0)
          expect(found).toBeLessThanOrEqual(max)
          expect(Object.is(found, -0)).toBe(false)
        }
      }),
    )
  })
})

test('CSS has the hexadecimal color, or the channels with alpha', () => {
  expect(cssOf(readColorValue('#E5603F') ?? expect.fail())).toBe('#e5603f')
  expect(cssOf(readColorValue('#E5603F66') ?? expect.fail())).toBe('rgb(229 96 63 / 40%)')
  expect(cssOf(readColorValue('#E5603F80') ?? expect.fail())).toBe('rgb(229 96 63 / 50.2%)')
})
