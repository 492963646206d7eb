import { compileString } from 'sass'
import { expect, test } from 'vitest'
import type { ResolvedTokenFile } from '../../../src/config/token-files.js'
import type { FileDescriptor } from '../../../src/files/plan.js'
import type { AssetNames } from '../../../src/kit/names.js'
import { planTokenFile, type TokenFilePlan } from '../../../src/tokens/plan.js'
import type { KitFont } from '../../../src/tokens/fonts.js'
import { id } from '../../support/memory-space.js'
import { colorToken, fontToken } from '../../support/tokens.js'

const file = (uuid: string, name = 'inter'): FileDescriptor => ({
  asset: uuid,
  label: 'Inter',
  name,
  ext: 'woff2',
  type: 'WOFF2',
})

function font(uuid: string, name?: string): KitFont {
  const { address: _, ...token } = fontToken('Inter', { uuid })
  return { ...token, file: file(uuid, name) }
}

function plan(
  target: Partial<ResolvedTokenFile>,
  fonts: KitFont[] = [font(id(1))],
  alias = 'brand',
  chosen: Record<string, string> = {},
  assets = new Map<string, AssetNames>(),
): TokenFilePlan {
  const given = { kit: alias, file: '/project/src/tokens.css', format: 'css' as const, ...target }
  const colors = new Map(
    ['coral', 'sun-9aa35486'].map((slug) => [slug.replace('-', ''), colorToken(slug, { uuid: slug })]),
  )
  const named = { assets, chosen: { byAsset: new Map(Object.entries(chosen)) } }
  const tokens = { colors, fonts: new Map(fonts.map((one, at) => [`font${at}`, one])), named }
  return planTokenFile(given, { root: '/project', id: alias, name: alias }, tokens)
}

/** Returns the URLs of fonts in a style sheet. */
const addresses = ({ text }: Pick<TokenFilePlan, 'text'>): string[] =>
  [...text.matchAll(/url\("([^"]*)"\)/g)].map(([, address = '']) => address)

test('fonts are ids of the kit as the project names it', () => {
  const { text, fonts, preload } = plan({}, [font(id(1))], 'brand@2')
  expect(addresses({ text })).toEqual(['content-space:asset/brand@2/inter'])
  expect([...fonts]).toEqual([])
  expect(preload).toEqual([{ href: 'content-space:asset/brand@2/inter', type: 'font/woff2' }])
})

/** Returns the URL in the token file and the URL for pages. */
const placed = (fonts: string): unknown[] => {
  const planned = plan({ fonts })
  return [...addresses(planned), planned.preload[0]?.href]
}

test('URLs of font files are relative to the token file, and URLs for pages to the project', () => {
  expect(placed('/project/src/fonts')).toEqual(['./fonts/inter.woff2', 'src/fonts/inter.woff2'])
  expect(placed('/project/src')).toEqual(['./inter.woff2', 'src/inter.woff2'])
  expect(placed('/project/public/my fonts')).toEqual([
    '../public/my%20fonts/inter.woff2',
    'public/my%20fonts/inter.woff2',
  ])
})

test('fonts with the same name have separate files, in any order', () => {
  const fonts = [font(id(1)), font(id(2)), font(id(3), 'roboto')]
  const names = [`inter-${id(1)}.woff2`, `inter-${id(2)}.woff2`, 'roboto.woff2']
  expect([...plan({ fonts: '/project/fonts' }, fonts).fonts.keys()]).toEqual(names)
  expect([...plan({ fonts: '/project/fonts' }, fonts.toReversed()).fonts.keys()]).toEqual(names.toReversed())
})

test.each(['ts', 'dtcg'] as const)('%s contains no ids, which would lead nowhere in it', (format) => {
  expect(plan({ format }).text).not.toContain('content-space:')
  expect(plan({ format, fonts: '/project/src/fonts' }).text).toContain('./fonts/inter.woff2')
})

test('aliases of any characters give valid names', () => {
  for (const alias of ['my.kit', '!', '2x', 'größe', '{}', '"', '--a', 'a;b', '$x', '*/']) {
    const { text } = plan({ format: 'scss' }, [], alias)
    const map = /^\$([^:]+): \(/m.exec(text)?.[1]
    const compiled = compileString(`${text}\n@each $name, $color in $${map} { a { color: $color } }`)
    expect(compiled.css).toContain('color: #e5603f;')
    expect(plan({}, [], alias).text).toMatch(/\n {2}--[\w\u00C0-\uFFFF-]*coral: #e5603f;\n/)
  }
})

test('lists style sheets that are not imported, where they would be', () => {
  const { file: _, ...token } = font(id(1))
  const elsewhere = { ...token, stylesheet: 'https://fonts.example/a.css' }
  expect(plan({}, [elsewhere]).notImported).toEqual([{ name: 'Inter', stylesheet: 'https://fonts.example/a.css' }])
  expect(plan({ format: 'ts' }, [elsewhere]).notImported).toEqual([])
})

/** Returns the names of variables, or the slugs in a script. */
function namesIn(chosen: Record<string, string>, target: Partial<ResolvedTokenFile> = {}): string[] {
  const { text } = plan(target, [], 'brand', chosen)
  return [...text.matchAll(/--[\w-]+|slug:"[^"]+"/g)].map(([name]) => name)
}

test('names that the project gives are the names of variables, and the slugs stay as former names', () => {
  const [coral, sun, yellow] = ['--brand-coral', '--brand-sun-9aa35486', '--brand-sun-yellow']
  expect(namesIn({})).toEqual([coral, sun])
  expect(namesIn({ 'sun-9aa35486': 'sunYellow' })).toEqual([coral, yellow, sun, yellow])
  expect(namesIn({ 'sun-9aa35486': '_2xSun_HTML5' })).toContain('--brand-2x-sun-html5')
  expect(namesIn({ 'sun-9aa35486': 'Coral' })).toEqual([coral, sun])
  expect(namesIn({ 'sun-9aa35486': 'sunYellow' }, { format: 'ts' })).toEqual(['slug:"coral"', 'slug:"sun-9aa35486"'])
})

test("names that give two tokens the same slug aren't used for either", () => {
  expect(namesIn({ coral: 'one_red', 'sun-9aa35486': 'oneRed' })).toEqual(['--brand-coral', '--brand-sun-9aa35486'])
})

test("former names never equal another token's name", () => {
  const aliases = ['red', 'sun-9aa35486', 'red', 'rouge'].map((slug) => ({ name: slug.replace('-', ''), slug }))
  const assets = new Map([['coral', { name: 'coral', slug: 'coral', aliases }]])
  const of = (format: 'css' | 'ts'): unknown => {
    const { text } = plan({ format }, [], 'brand', {}, assets)
    return [...text.matchAll(/^ {2}(?:--brand-)?([\w-]+): /gm)].map(([, name]) => name)
  }
  expect(of('css')).toEqual(['coral', 'red', 'rouge', 'sun-9aa35486'])
  expect(of('ts')).toEqual(['coral', 'sun9aa35486', 'red', 'rouge'])
})

test("a font with an unknown format doesn't have a media type", () => {
  expect(plan({}, [{ ...font(id(1)), format: 'bin' }]).preload).toEqual([{ href: 'content-space:asset/brand/inter' }])
})
