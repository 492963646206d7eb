import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Options } from '../../src/config/options.js'
import { createProject, readTree } from './driver.js'
import { pageBuilders, styleScriptBuilders, styleSheetBuilders, type BuildSite } from './markup-builders.js'
import { drawing, kits, openTestSpace, type TestSpace } from './space.js'

let space: TestSpace
beforeAll(async () => void (space = await openTestSpace()))
afterAll(() => space.close())

const asset = `content-space:asset/${kits.brand}`
const pair = `${asset}/acme-logo?dark=acme-logo-dark`
const declared: Options = { kits: { brand: { kit: kits.brand, dark: { 'acme-logo': 'acme-logo-dark' } } } }

async function build(site: BuildSite, files: Record<string, string>, more: Options = {}) {
  const project = await createProject(files)
  try {
    const lockfile = join(project.root, 'content-space.lock.json')
    const options = { ...space.options(), types: false as const, lockfile, ...more }
    await site({ root: project.root, options, base: '/app/' })
    return await readTree(join(project.root, 'dist'))
  } finally {
    await project.remove()
  }
}

/** Returns text of the output with the text of each drawing in place of its URL. */
function shown(output: Map<string, Buffer>, ext: string): string {
  const text = [...output]
    .filter(([path]) => path.endsWith(ext))
    .map(([, bytes]) => bytes.toString())
    .join('\n')
  return text.replace(/["']?\/app\/([^"')\s]+\.svg)["']?/g, (_, path: string) => {
    const bytes = output.get(path)?.toString()
    return bytes === drawing('Acme') ? 'LIGHT' : bytes === drawing('Acme dark') ? 'DARK' : 'OTHER'
  })
}

const emitted = (output: Map<string, Buffer>): number =>
  [...output.keys()].filter((path) => path.endsWith('.svg')).length
const compact = (css: string): string => css.replace(/\/\*[\s\S]*?\*\/|["'\s;]/g, '')
const sheet = (id: string): Record<string, string> => ({
  'main.js': `import './main.css'`,
  'main.css': `.a { background: url(${id}) no-repeat }`,
})

describe.each(Object.entries(styleSheetBuilders))('style sheets of %s', (_, site) => {
  test('show the asset of a pair for the color scheme', async () => {
    const output = await build(site, sheet(pair))
    expect(compact(shown(output, '.css'))).toBe(
      '.a{background:url(LIGHT)no-repeat}@media(prefers-color-scheme:dark){.a{background-image:url(DARK)}}',
    )
    expect(emitted(output)).toBe(2)
  })

  test('follow a class, for pairs of option kits', async () => {
    const output = await build(site, sheet('content-space:asset/brand/acme-logo'), { ...declared, darkMode: '.dark' })
    expect(compact(shown(output, '.css'))).toBe(
      '.a{background:url(LIGHT)no-repeat}.a:where([class~=dark],[class~=dark]*){background-image:url(DARK)}',
    )
  })

  test('reject a pair where no rule can follow', async () => {
    const wrong = { ...sheet(pair), 'main.css': `@font-face { font-family: brand; src: url(${pair}) }` }
    await expect(build(site, wrong)).rejects.toThrow(/requests two pictures[\s\S]*main\.css/)
  })
})

// esbuild doesn't add style sheets to modules.
test.each(Object.entries(styleSheetBuilders).filter(([name]) => name !== 'esbuild'))(
  '%s writes the class of a page in the rules of components',
  async (_, site) => {
    const rules = fileURLToPath(new URL('../../dist/components/runtime/dark-mode.css', import.meta.url))
    const output = await build(site, { 'main.js': `import '${rules}'` }, { darkMode: '.dark' })
    expect(compact(shown(output, '.css'))).toBe(
      '.dark.content-space-light,.content-space-dark:not(.dark*){display:none!important}',
    )
  },
)

test.each(Object.entries(styleScriptBuilders))('%s emits both files of a pair', async (_, site) => {
  expect(emitted(await build(site, sheet(pair)))).toBe(2)
})

const page = (body: string): Record<string, string> => ({
  'index.html': `<!doctype html><html><head><title>Brand</title></head><body>${body}<script type="module" src="./main.js"></script></body></html>`,
  'main.js': `console.log('main')`,
})
const bodyOf = (html: string): string =>
  (/<body>([\s\S]*?)(?:<script|<\/body>)/.exec(html)?.[1] ?? '')
    .replaceAll('"', '')
    .replace(/\s*\/?>/g, '>')
    .trim()

describe.each(Object.entries(pageBuilders))('pages of %s', (_, site) => {
  test('have a source for the color scheme', async () => {
    const output = await build(
      site,
      page(
        `<img src="${pair}" alt="Acme" class="own">` +
          `<picture><source srcset="${pair}" media="print,(min-width:1px)"><img src="${asset}/acme-logo"></picture>`,
      ),
    )
    expect(bodyOf(shown(output, '.html'))).toBe(
      '<picture><source media=(prefers-color-scheme: dark) srcset=DARK><img src=LIGHT alt=Acme class=own></picture>' +
        '<picture><source media=print and (prefers-color-scheme: dark), (min-width:1px) and (prefers-color-scheme: dark) srcset=DARK>' +
        '<source srcset=LIGHT media=print,(min-width:1px)><img src=LIGHT></picture>',
    )
    expect(emitted(output)).toBe(2)
  })

  test('have both pictures if a class controls dark mode', async () => {
    const body = `<img id="logo" src="content-space:asset/brand/acme-logo" alt="Acme" class="own">`
    const output = await build(site, page(body), { ...declared, darkMode: '.dark' })
    expect(bodyOf(shown(output, '.html'))).toBe(
      '<img id=logo src=LIGHT alt=Acme class=own content-space-light loading=lazy>' +
        '<img src=DARK alt=Acme class=own content-space-dark loading=lazy>',
    )
  })

  test('reject a pair where one address belongs', async () => {
    await expect(build(site, page(`<a href="${pair}">Logo</a>`))).rejects.toThrow(/requests two pictures/)
  })
})
