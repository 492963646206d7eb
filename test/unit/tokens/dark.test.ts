import { runInThisContext } from 'node:vm'
import { compileString } from 'sass'
import { expect, test } from 'vitest'
import type { ResolvedTokenFile, TokenFormat } from '../../../src/config/token-files.js'
import { isWritten } from '../../../src/tokens/formats/sheet.js'
import { planTokenFile, type TokenFilePlace } from '../../../src/tokens/plan.js'
import { id } from '../../support/memory-space.js'
import { colorToken } from '../../support/tokens.js'

const [light, night, plain, alone] = ['1a2b3c4d', '5e6f7a8b', '9c0d1e2f', '3a4b5c6d'].map(
  (start) => start + id(1).slice(8),
)
const dark = { hex: '#ffccbb', css: '#ffccbb', rgb: [255, 204, 187] as [number, number, number] }
const colors = new Map([
  ['coral_1a2b3c4d', colorToken('Coral', { uuid: light ?? '', slug: 'coral-1a2b3c4d', group: ['Colours'] })],
  ['pine', colorToken('Pine', { uuid: plain ?? '', group: ['Colours'], css: '#11373a', hex: '#11373a' })],
  [
    'coral_5e6f7a8b',
    colorToken('coral', { uuid: night ?? '', slug: 'coral-5e6f7a8b', group: ['Dark Colours'], ...dark }),
  ],
  ['ember', colorToken('Ember', { uuid: alone ?? '', group: ['Dark Colours'] })],
])

function plan(
  format: TokenFormat,
  more: Partial<ResolvedTokenFile> = { dark: 'Dark Colours' },
  place: Partial<TokenFilePlace> = {},
) {
  const target = { kit: 'brand', file: '/project/src/brand.tokens.json', format, ...more }
  const named = { assets: new Map(), chosen: { byAsset: new Map<string, string>() } }
  return planTokenFile(
    target,
    { root: '/project', id: 'brand', name: 'brand', ...place },
    { colors, fonts: new Map(), named },
  )
}

/** Returns the text after the first comment. */
const body = (text: string): string => text.slice(text.indexOf('\n\n') + 2)

test('css has both values, and names the pair like a single color', () => {
  expect(body(plan('css').text)).toBe(`:root {
  color-scheme: light dark;
  /* Colours */
  --brand-coral: light-dark(#e5603f, #ffccbb);
  --brand-pine: #11373a;
  /* Dark Colours */
  --brand-ember: #e5603f;
}
`)
})

test('Tailwind has both values, and the color scheme outside of the theme', () => {
  const text = plan('tailwind').text
  expect(text).toContain('  --color-coral: light-dark(#e5603f, #ffccbb);\n')
  expect(text).toContain('}\n\n:root {\n  color-scheme: light dark;\n}\n')
})

test.each(['.dark', '[data-theme=dark]'])('with darkMode %s, CSS and Tailwind have a second block', (darkMode) => {
  expect(body(plan('css', undefined, { darkMode }).text)).toBe(`:root {
  color-scheme: light;
  /* Colours */
  --brand-coral: #e5603f;
  --brand-pine: #11373a;
  /* Dark Colours */
  --brand-ember: #e5603f;
}

${darkMode} {
  color-scheme: dark;
  --brand-coral: #ffccbb;
}
`)
  const text = plan('tailwind', undefined, { darkMode }).text
  expect(text).toContain('  --color-coral: #e5603f;\n')
  expect(text).toContain(`}\n\n${darkMode} {\n  color-scheme: dark;\n  --color-coral: #ffccbb;\n}\n`)
})

test("pairs in the option kits don't use separate names", () => {
  const { text } = plan('css', {}, { darkOf: (uuid) => (uuid === plain ? alone : undefined) })
  expect(text).toContain('  --brand-pine: light-dark(#11373a, #e5603f);\n')
  expect(text).not.toContain('ember')
})

test('pairs in the option kits take precedence over a dark section', () => {
  const both = plan('css', undefined, { darkOf: (uuid) => (uuid === plain ? alone : undefined) })
  expect(both.text).toContain('  --brand-coral: light-dark(#e5603f, #ffccbb);\n')
  expect(both.text).toContain('  --brand-pine: light-dark(#11373a, #e5603f);\n')
  expect(both.text).not.toContain('ember')
  const other = plan('css', undefined, { darkOf: (uuid) => (uuid === light ? plain : undefined) })
  expect(other.text).toContain('  --brand-coral: light-dark(#e5603f, #11373a);\n')
})

test('Sass compiles both values', () => {
  const text = `${plan('scss').text}\na { color: $brand-coral; }`
  expect(compileString(text).css).toContain('a {\n  color: light-dark(#e5603f, #ffccbb);\n}')
})

test('TypeScript has the dark color beside the other', () => {
  const script = plan('ts')
    .text.replaceAll(/export const (\w+) =/g, 'globalThis.$1 =')
    .replaceAll(' as const', '')
  runInThisContext(script)
  const { colors: read }: { colors: Record<string, unknown> } = Object(globalThis)
  expect(Object.keys(read)).toEqual(['coral', 'pine', 'ember'])
  expect(read['coral']).toMatchObject({ slug: 'coral-1a2b3c4d', css: '#e5603f', dark: { css: '#ffccbb', alpha: 1 } })
  expect(read['pine']).not.toHaveProperty('dark')
})

test('design tokens have a resolver beside them, whose dark theme has the same paths', () => {
  const { text, beside } = plan('dtcg')
  const tokens = JSON.parse(text)
  expect([...beside.keys()]).toEqual(['/project/src/brand.resolver.json'])
  const written = [...beside.values()].join('')
  expect(isWritten(written)).toBe(true)
  const { description: _, ...document } = JSON.parse(written)
  expect(document).toMatchObject({
    version: '2025.10',
    sets: { tokens: { sources: [{ $ref: './brand.tokens.json' }] } },
    modifiers: { theme: { default: 'light', contexts: { light: [] } } },
    resolutionOrder: [{ $ref: '#/sets/tokens' }, { $ref: '#/modifiers/theme' }],
  })
  const [theme] = document.modifiers.theme.contexts.dark
  expect(Object.keys(theme.colours)).toEqual(Object.keys(tokens.colours))
  expect([tokens.colours.coral.$value.hex, theme.colours.coral.$value.hex]).toEqual(['#e5603f', '#ffccbb'])
  expect(theme.colours.pine).toEqual(tokens.colours.pine)
})

test("without the option, formats don't include dark values", () => {
  for (const format of ['css', 'tailwind', 'scss', 'dtcg', 'ts'] as const) {
    const { text, beside } = plan(format, {})
    expect([text.includes('light-dark'), beside.size]).toEqual([false, 0])
  }
})

test('a section without colors is an error that suggests the most similar section', () => {
  expect(() => plan('css', { dark: 'Dark Colors' })).toThrow(/Dark Colors[^]*Did you mean Dark Colours\?/)
})
