import { execFile } from 'node:child_process'
import { mkdir, readdir, readFile, writeFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { makeFont } from '../support/font.js'
import { closeBrowser, collectProblems, openPage } from './support/look.js'
import { openProject, type FrameworkProject } from './support/project.js'

/** Each character is twice as wide as high, which makes it wider than in any other font. */
const lantern = makeFont({ family: 'Lantern', variant: 'Light', weight: 300, advance: 2000, format: 'woff2' })
const files = ['_brand.scss', 'brand.tokens.json', 'fonts/lantern-light.woff2', 'theme.css', 'tokens.css', 'tokens.ts']
/** The colors in the playground's kit. */
const hex = { coral: '#e5603f', mist: '#e3eee9', pine: '#11373a', tide: '#1f7a78' }

let project: FrameworkProject

beforeAll(async () => {
  project = await openProject('tokens')
  const fonts = join(project.space, 'solvane/08 Fonts')
  // This test doesn't use the playground's font.
  await rm(fonts, { recursive: true })
  await mkdir(fonts)
  await writeFile(join(fonts, 'lantern-light.woff2'), lantern)
})

afterAll(async () => {
  await closeBrowser()
  await project?.close()
})

test('sync writes the files of option tokens, and verify accepts them', async () => {
  const output = await project.run('content-space', 'sync')
  for (const file of files) expect(output).toContain(`src/${file}`)
  expect((await readFile(join(project.root, 'src/fonts/lantern-light.woff2'))).equals(lantern)).toBe(true)
  await project.run('content-space', 'verify')
})

const declarations = async (file: string): Promise<Record<string, string>> => {
  const text = (await project.read(file)).replace(/\/\*[\s\S]*?\*\//g, '')
  return Object.fromEntries([...text.matchAll(/--([\w-]+):\s*([^;]+);/g)].map(([, name, value]) => [name, value]))
}
const colors = (prefix: string, write: (value: string) => unknown): Record<string, unknown> =>
  Object.fromEntries(Object.entries(hex).map(([name, value]) => [`${prefix}-${name}`, write(value)]))

describe('tools that read design tokens', () => {
  test('Style Dictionary', async () => {
    await project.run('style-dictionary', 'build', '--config', 'sd.config.js')
    expect(await declarations('build/style-dictionary.css')).toMatchObject({
      ...colors('colours', (value) => value),
      'fonts-lantern-light-family': 'Lantern',
      'fonts-lantern-light-weight': '300',
    })
  })

  test('Terrazzo', async () => {
    await project.run('tz', 'check', 'src/brand.tokens.json')
    await project.run('tz', 'build')
    const read = await declarations('build/terrazzo.css')
    expect(read).toMatchObject({
      ...colors('colours', () => expect.any(String)),
      'fonts-lantern-light-family': '"Lantern"',
      'fonts-lantern-light-weight': '300',
    })
    expect(await computedColors(Object.keys(hex).map((name) => read[`colours-${name}`] ?? ''))).toEqual(
      Object.values(hex),
    )
  })
})

test('the command line of Tailwind builds the theme with font files', async () => {
  const flags = ['--format', 'tailwind', '--prefix', 'acme', '--out', 'cli/theme.css', '--fonts', 'cli/fonts']
  await project.run('content-space', 'tokens', 'brand', ...flags)
  await writeFile(join(project.root, 'cli/main.css'), "@import './theme.css';\n@import 'tailwindcss';\n")
  await writeFile(join(project.root, 'cli/page.html'), '<p class="text-acme-coral font-acme-lantern bg-acme-mist/50">')
  await project.run('tailwindcss', '--input', 'cli/main.css', '--output', 'cli/out.css')
  const text = await project.read('cli/out.css')
  expect(text).toMatch(/\.text-acme-coral \{\s*color: var\(--color-acme-coral\);/)
  expect(text).toMatch(/\.font-acme-lantern \{\s*font-family: var\(--font-acme-lantern\);/)
  expect(text).toMatch(/--color-acme-coral: #e5603f;/)
  expect(text).toMatch(/url\("\.\/fonts\/lantern-light\.woff2"\)/)
})

test('plain Sass compiles the variables', async () => {
  const css = await project.run('sass', 'src/panel.scss')
  expect(css).toMatch(/\.panel \{\n {2}color: #e5603f;/)
  expect(css).toMatch(/\.panel\.tide \{\n {2}background: #1f7a78;/)
  expect(css).toContain('url("./fonts/lantern-light.woff2")')
})

test('the dev server shows the colors and the font', async () => {
  const site = await project.serve((port) => ['vite', '--host', '127.0.0.1', '--port', `${port}`])
  await expectPage(site.url)
})

test('the constants have exact types', async () => {
  const check = "import { colors, fonts } from './tokens.js'\nexport const a: '#e5603f' = colors.coral.css\n"
  await writeFile(join(project.root, 'src/check.ts'), `${check}export const b: 300 = fonts.lanternLight.weight\n`)
  const tsc = join(import.meta.dirname, '../../node_modules/.bin/tsc')
  const flags = ['--noEmit', '--strict', '--module', 'esnext', '--moduleResolution', 'bundler', '--target', 'es2023']
  const types = ['--types', '', '--ignoreConfig', '--lib', 'es2023,dom']
  await promisify(execFile)(tsc, [...flags, ...types, 'src/check.ts'], { cwd: project.root })
})

test('a build has the colors and one file of the font for each address', async () => {
  await project.run('vite', 'build')
  const emitted = await readdir(join(project.root, 'dist/assets'))
  const fonts = emitted.filter((name) => name.endsWith('.woff2'))
  expect(fonts.length).toBeGreaterThanOrEqual(1)
  for (const name of fonts) expect((await readFile(join(project.root, 'dist/assets', name))).equals(lantern)).toBe(true)
  const site = await project.serve((port) => ['vite', 'preview', '--host', '127.0.0.1', '--port', `${port}`])
  await expectPage(site.url)
})

test('an edited color is in the files after the next build', async () => {
  await writeFile(
    join(project.space, 'solvane/02 Colours/coral.json'),
    JSON.stringify({ type: 'Color', meta: { hex: '#E5604F' } }),
  )
  await vi.waitFor(
    async () => {
      await project.run('vite', 'build')
      expect(await project.read('src/tokens.css')).toContain('--brand-coral: #e5604f;')
      // An earlier test's dev server writes these files too, and may still be writing them.
      for (const file of files.filter((name) => !name.endsWith('woff2')))
        expect(await project.read(`src/${file}`)).toContain('#e5604f')
    },
    { timeout: 60_000 },
  )
})

/** Compares the colors and widths of the page's paragraphs with the kit. */
async function expectPage(url: string): Promise<void> {
  const page = await openPage()
  try {
    const problems = collectProblems(page)
    await page.goto(url, { waitUntil: 'networkidle' })
    await page.evaluate(() => document.fonts.ready)
    const looks = await page.evaluate(() =>
      [...document.querySelectorAll('p')].map((paragraph) => ({
        name: paragraph.className || paragraph.id,
        color: getComputedStyle(paragraph).color,
        width: paragraph.getBoundingClientRect().width,
      })),
    )
    const colorOf = (name: string) => looks.find((look) => look.name.startsWith(name))?.color
    const widthOf = (name: string) => looks.find((look) => look.name.startsWith(name))?.width ?? 0
    for (const name of ['card', 'font-lantern', 'panel', 'constant']) expect(colorOf(name)).toBe('rgb(229, 96, 63)')
    // 7 characters of 2 em at a size of 16 pixels.
    for (const name of ['card', 'font-lantern', 'panel']) expect(widthOf(name)).toBeCloseTo(7 * 2 * 16, 0)
    expect(widthOf('fallback')).toBeLessThan(7 * 16)
    expect(problems).toEqual([])
  } finally {
    await page.close()
  }
}

/** Returns the colors that a browser computes for CSS values, as hexadecimal. */
async function computedColors(values: readonly string[]): Promise<string[]> {
  const page = await openPage()
  try {
    return await page.evaluate(
      (all) =>
        all.map((value) => {
          const context = document.createElement('canvas').getContext('2d')
          if (context === null) return ''
          context.fillStyle = value
          context.fillRect(0, 0, 1, 1)
          const [red = 0, green = 0, blue = 0] = context.getImageData(0, 0, 1, 1).data
          return `#${[red, green, blue].map((channel) => channel.toString(16).padStart(2, '0')).join('')}`
        }),
      values,
    )
  } finally {
    await page.close()
  }
}
