import type { ColorToken } from '../../src/asset.js'
import type { SheetFont, TokenSheet } from '../../src/tokens/formats/sheet.js'
import { id } from './memory-space.js'

export function colorToken(name: string, more: Partial<ColorToken> = {}): ColorToken {
  return {
    uuid: id(1),
    name,
    slug: name.toLowerCase(),
    group: [],
    notes: '',
    hex: '#e5603f',
    alpha: 1,
    css: '#e5603f',
    rgb: [229, 96, 63],
    hsb: { hue: 12, saturation: 72, brightness: 90 },
    ...more,
  }
}

export function fontToken(name: string, more: Partial<SheetFont> = {}): SheetFont {
  return {
    uuid: id(2),
    name,
    slug: name.toLowerCase().replaceAll(' ', '-'),
    group: [],
    notes: '',
    family: 'Inter',
    weight: 300,
    style: 'normal',
    format: 'woff2',
    address: { text: './fonts/inter-light.woff2', relative: true },
    ...more,
  }
}

export function tokenSheet(
  colors: Record<string, ColorToken>,
  fonts: Record<string, SheetFont> = {},
  more: Partial<TokenSheet> = {},
): TokenSheet {
  return {
    kit: 'brand',
    prefix: 'brand',
    map: 'brand',
    colors: new Map(Object.entries(colors)),
    fonts: new Map(Object.entries(fonts)),
    former: new Map(),
    ...more,
  }
}
