import sharp from 'sharp'
import { expect } from 'vitest'
import type { AppIcons } from '../../src/asset.js'
import type { Options } from '../../src/config/options.js'
import { appIconFiles } from '../support/app-icons.js'
import type { Output, Settings } from './driver.js'
import { drawing, kits, shared, type TestSpace } from './space.js'

/** A behavior that all bundlers must have. */
export interface Scenario {
  name: string
  /** The source files. `main.js` prints its result as JSON. */
  files: Record<string, string>
  /** Packages in this repository that the project can import. */
  packages?: readonly string[]
  /** The names of the bundlers that build it. By default, all. */
  bundlers?: readonly string[]
  options?: Options
  settings?: Partial<Settings>
  /**
   * Whether it differs from another scenario only in the output. Only two bundlers build such a variant, except in
   * `test:long`.
   */
  isVariant?: boolean
  /** The number of downloads, and of emitted files unless `emitted` is set. */
  downloads: number
  emitted?: number
  check: (context: { output: Output; result: unknown; space: TestSpace }) => void | Promise<void>
}

const print = (expression: string) => `console.log(JSON.stringify(${expression}))`
const picked = [3, 250, 251, 777, 1000].map((at) => `asset${String(at).padStart(5, '0')}`)
const big = `content-space:kit/${kits.big}`
const rules = `content-space:kit/${kits.rules}`
const brand = `content-space:kit/${kits.brand}`

/** Expects five assets of the large kit with exactly the service's bytes. */
function checkFive({ output, result }: { output: Output; result: unknown }): void {
  expect(result).toEqual(
    picked.map((name) => expect.objectContaining({ name: name.replace('asset', 'Asset '), type: 'SVG' })),
  )
  for (const [at, asset] of assetsOf(result).entries()) {
    const name = picked[at]?.replace('asset', 'asset-') ?? ''
    expect(output.behind(asset.src).toString()).toBe(drawing(name))
    expect(asset.src).toContain(name)
  }
}

function assetsOf(result: unknown): { src: string; name: string; uuid: string }[] {
  return Object.values(Object(result))
}

/** Expects a whole set of icons in the root of the output. */
async function checkAppIcons({ output, result }: { output: Output; result: unknown }): Promise<void> {
  const { icons, manifest, links, html }: AppIcons = Object(result)
  expect(output.assets().map(([path]) => path)).toEqual(appIconFiles)
  for (const address of [...icons.map(({ src }) => src), manifest]) expect(address).toMatch(/^\/static\/[\w-]+\.\w+$/)
  for (const { src, type, sizes } of icons.filter((icon) => icon.type === 'image/png')) {
    const { width, height, format } = await sharp(output.behind(src)).metadata()
    expect([`${width}x${height}`, `image/${format}`]).toEqual([sizes, type])
  }
  expect(output.behind(links[1]?.href ?? '').toString()).toMatch(
    /prefers-color-scheme:dark.*class="light".*class="dark"/,
  )
  const read = JSON.parse(output.behind(manifest).toString())
  expect(read).toMatchObject({ name: 'Brand', start_url: './', display: 'standalone', background_color: 'white' })
  expect(read.icons.map(({ src }: { src: string }) => src)).toEqual([
    'icon-192.png',
    'icon-512.png',
    'icon-maskable-512.png',
  ])
  expect(html.split('\n')).toEqual([
    '<link rel="icon" href="/static/favicon.ico" sizes="32x32">',
    '<link rel="icon" href="/static/icon.svg" type="image/svg+xml">',
    '<link rel="apple-touch-icon" href="/static/apple-touch-icon.png">',
    '<link rel="manifest" href="/static/manifest.webmanifest">',
  ])
}

export const scenarios: Scenario[] = [
  {
    name: 'five of 1,000 assets, imported by name',
    files: { 'main.js': `import { ${picked.join()} } from '${big}'; ${print(`[${picked.join()}]`)}` },
    downloads: 5,
    check: checkFive,
  },
  {
    name: 'five of 1,000 assets, imported by name, minified',
    files: { 'main.js': `import { ${picked.join()} } from '${big}'; ${print(`[${picked.join()}]`)}` },
    settings: { minify: true },
    isVariant: true,
    downloads: 5,
    check: checkFive,
  },
  {
    name: 'five of 1,000 assets, as members of a namespace',
    files: { 'main.js': `import * as kit from '${big}'; ${print(`[${picked.map((name) => `kit.${name}`).join()}]`)}` },
    downloads: 5,
    check: checkFive,
  },
  {
    name: 'five of 1,000 assets, destructured from a dynamic import',
    files: { 'main.js': `const { ${picked.join()} } = await import('${big}'); ${print(`[${picked.join()}]`)}` },
    downloads: 5,
    check: checkFive,
  },
  {
    name: 'five of 1,000 assets, re-exported by name',
    files: {
      'main.js': `import { ${picked.join()} } from './assets.js'; ${print(`[${picked.join()}]`)}`,
      'assets.js': `export { ${picked.join()} } from '${big}'`,
    },
    downloads: 5,
    check: checkFive,
  },
  {
    name: 'unused imports',
    files: { 'main.js': `import { asset00001 } from '${big}'; import * as kit from '${brand}'; ${print('[]')}` },
    downloads: 0,
    check: ({ result }) => expect(result).toEqual([]),
  },
  {
    name: 'a whole kit, as its default export',
    files: { 'main.js': `import kit from '${brand}'; ${print('kit')}` },
    downloads: 6,
    check: ({ result, output }) => {
      expect(result).toMatchObject({
        uuid: kits.brand,
        name: 'Brand',
        sections: [
          {
            name: 'Logos',
            items: [
              {
                type: 'asset',
                asset: { name: 'Acme Logo', notes: 'Use it "well" </script>', keywords: ['logo', 'acme'] },
              },
              { type: 'asset', asset: { uuid: shared } },
              { type: 'heading', content: 'Dark' },
              { type: 'asset', asset: { name: 'Acme Logo Dark' } },
            ],
          },
          { name: 'Photos' },
          { name: 'Again', items: [{ type: 'asset', asset: { uuid: shared } }] },
        ],
      })
      expect(output.log).toMatch(/whole kit/)
      expect(output.log).not.toContain('[content-space] content-space')
    },
  },
  {
    name: 'items of other types, and assets that they carry',
    files: {
      'main.js': `
        import { second, _do } from '${rules}'
        import kit from '${rules}?as=metadata'
        ${print('[second, _do, kit.sections[0].items]')}
      `,
    },
    downloads: 2,
    check({ result, output }) {
      const [gallery, guide, items] = Object(result)
      expect(items).toMatchObject([
        { type: 'inline_note', content: 'On white. </script>' },
        { type: 'guide', title: 'Do', color: '#2e7d32', asset: { name: 'Do' } },
        { type: 'gallery', name: 'Campaign', assets: [{ name: 'First' }, { name: 'Second' }] },
        { type: 'asset', asset: { name: 'Plain' }, display: { caption: 'The logo' } },
      ])
      expect(output.behind(gallery.src).toString()).toBe(drawing('second'))
      expect(output.behind(guide.src).toString()).toBe(drawing('do'))
    },
  },
  {
    name: 'ids of sections, headings, assets, outlines and kits',
    files: {
      'main.js': `
        import { acmeLogo } from 'content-space:section/${kits.brand}/logos'
        import dark from 'content-space:section/${kits.brand}/logos/dark'
        import photo from 'content-space:asset/${kits.brand}/hero-photo'
        import { name as unused } from './other.js'
        import outline from 'content-space:outline/${kits.brand}'
        import all from 'content-space:kits'
        ${print('{ acmeLogo, dark, photo, outline, all }')}`,
      'other.js': `export const name = 'other'`,
    },
    downloads: 3,
    check: ({ result, output, space }) => {
      expect(result).toMatchObject({
        acmeLogo: { name: 'Acme Logo', format: 'svg', width: 40, height: 20 },
        dark: { name: 'Dark', items: [{ type: 'asset', asset: { name: 'Acme Logo Dark' } }] },
        photo: { name: 'Hero Photo', type: 'JPG', format: 'jpg', width: 60, height: 40 },
        outline: {
          name: 'Brand',
          sections: [{ name: 'Logos', headings: [{ name: 'Dark' }] }, { name: 'Photos' }, { name: 'Again' }],
        },
      })
      expect(Object(result).all).toHaveLength(Object.keys(kits).length)
      expect(output.behind(Object(result).photo.src)).toEqual(space.original('brand/02 Photos/hero-photo.jpg'))
    },
  },
  {
    name: 'queries for an address, a cut, full metadata, and metadata without a file',
    files: {
      'main.js': `
        import address from 'content-space:asset/${kits.brand}/acme-logo?url'
        import cut from 'content-space:asset/${kits.brand}/hero-photo?cut=png'
        import full from 'content-space:asset/${kits.brand}/acme-logo?metadata=full'
        import described from 'content-space:asset/${kits.brand}/acme-logo-dark?as=metadata'
        import { coral } from 'content-space:kit/${kits.style}?url'
        ${print('{ address, cut, full, described, color: coral ?? null }')}`,
    },
    downloads: 2,
    check: ({ result, output, space }) => {
      const { address, cut, full, described, color } = Object(result)
      // Importing only this asset would be an error.
      expect(color).toBeNull()
      expect(output.behind(address)).toEqual(space.original('brand/01 Logos/acme-logo.svg'))
      expect(cut).toMatchObject({ type: 'JPG', format: 'png', width: 60, height: 40 })
      expect(output.behind(cut.src).subarray(1, 4).toString()).toBe('PNG')
      expect(full).toMatchObject({ src: address, size: drawing('Acme').length, raw: expect.any(Object) })
      expect(described).toMatchObject({ name: 'Acme Logo Dark' })
      expect(described).not.toHaveProperty('src')
    },
  },
  {
    name: 'files as text and as data URIs',
    files: {
      'main.js': `
        import raw from 'content-space:asset/${kits.brand}/acme-logo?raw'
        import inline from 'content-space:asset/${kits.brand}/acme-logo-dark?inline'
        ${print('{ raw, inline }')}`,
    },
    downloads: 2,
    emitted: 0,
    check: ({ result }) => {
      expect(Object(result).raw).toContain('<title>Acme</title>')
      expect(Object(result).inline).toMatch(/^data:image\/svg\+xml/)
    },
  },
  {
    name: 'assets with their partners for dark grounds, by query and by option',
    files: {
      'main.js': `
        import logo from 'content-space:asset/${kits.brand}/acme-logo?dark=acme-logo-dark'
        import raw from 'content-space:asset/${kits.brand}/acme-logo?dark=acme-logo-dark&as=raw'
        import { acmeLogo, heroPhoto } from 'content-space:kit/paired'
        ${print('{ logo, raw, acmeLogo, heroPhoto }')}`,
    },
    options: { kits: { paired: { kit: kits.brand, dark: { 'acme-logo': 'acme-logo-dark' } } } },
    downloads: 3,
    check: ({ output, result }) => {
      const { logo, raw, acmeLogo, heroPhoto } = Object(result)
      expect(logo).toMatchObject({ name: 'Acme Logo', dark: { width: 40, height: 20 } })
      expect([output.behind(logo.src).toString(), output.behind(logo.dark.src).toString()]).toEqual([
        drawing('Acme'),
        drawing('Acme dark'),
      ])
      expect([acmeLogo.dark, heroPhoto.dark]).toEqual([logo.dark, undefined])
      expect(raw).toMatch(
        /^<span class="content-space-light"><svg .*<span class="content-space-dark"><svg .*<\/span>$/s,
      )
    },
  },
  {
    name: 'two dynamically imported pages, each with its own asset',
    files: {
      'main.js': `
        const pages = [await import('./one.js'), await import('./two.js')]
        ${print('pages.map((page) => page.default)')}`,
      'one.js': `import { asset00001 } from '${big}'; export default asset00001`,
      'two.js': `import { asset00002 } from '${big}'; export default asset00002`,
    },
    downloads: 2,
    check: ({ result, output }) => {
      expect(result).toMatchObject([{ name: 'Asset 00001' }, { name: 'Asset 00002' }])
      const scripts = [...output.files].filter(([path]) => path.endsWith('.js')).map(([, bytes]) => bytes.toString())
      for (const name of ['asset-00001', 'asset-00002'])
        expect(scripts.filter((text) => text.includes(name))).toHaveLength(1)
    },
  },
  {
    name: 'assets by a name that is known at run time',
    files: {
      'main.js': `
        import logos from 'content-space:section/${kits.brand}/logos?lazy'
        import dark from 'content-space:section/${kits.brand}/logos/dark?raw&lazy'
        const load = (name) => Object.hasOwn(logos, name) ? logos[name]() : undefined
        const found = [await load('acme-logo'), await load('constructor'), await dark['acme-logo-dark']()]
        ${print('{ names: Object.keys(logos), found }')}`,
    },
    settings: { publicPath: 'relative' },
    downloads: 3,
    check: ({ result, output }) => {
      const { names, found } = Object(result)
      expect(names).toEqual(['acme-logo', 'shared-mark', 'acme-logo-dark'])
      expect(found).toEqual([expect.objectContaining({ name: 'Acme Logo' }), null, drawing('Acme dark')])
      expect(output.behind(found[0].src).toString()).toBe(drawing('Acme'))
      const scripts = [...output.files].filter(([path]) => path.endsWith('.js'))
      const chunks = [/['"`]Acme Logo['"`]/, /Shared mark/, /Acme Logo Dark/].flatMap((name) =>
        scripts.flatMap(([path, text]) => (name.test(text.toString()) ? [path] : [])),
      )
      expect(chunks).toHaveLength(3)
      expect(new Set([...chunks, 'main.js']).size).toBe(4)
    },
  },
  {
    name: 'one asset, imported through two kits, two sections and two entries',
    files: {
      'main.js': `
        import { sharedMark as a } from '${brand}'
        import { sharedMark as b } from 'content-space:kit/${kits.twin}'
        import c from 'content-space:asset/${kits.brand}/${shared.toLowerCase()}'
        import d from 'content-space:asset/${kits.brand}@use/shared-mark?url'
        ${print('[a.src, b.src, c.src, d]')}`,
      'second.js': `import { sharedMark } from '${brand}'; ${print('sharedMark.src')}`,
    },
    settings: { entries: ['main.js', 'second.js'] },
    downloads: 1,
    check: async ({ result, output }) => {
      expect(new Set(assetsOf(result)).size).toBe(1)
      expect(await output.run('second.js')).toBe(Object(result)[0])
    },
  },
  {
    name: 'a public path on another origin',
    files: { 'main.js': `import { acmeLogo } from '${brand}'; ${print('acmeLogo.src')}` },
    settings: { publicPath: 'https://cdn.example/brand/' },
    downloads: 1,
    check: ({ result, output, space }) => {
      expect(result).toMatch(/^https:\/\/cdn\.example\/brand\/.*acme-logo.*\.svg$/)
      expect(output.behind(String(result))).toEqual(space.original('brand/01 Logos/acme-logo.svg'))
    },
  },
  {
    name: 'CommonJS output',
    files: { 'main.js': `import { acmeLogo, heroPhoto } from '${brand}'; ${print('[acmeLogo, heroPhoto]')}` },
    settings: { format: 'cjs' },
    downloads: 2,
    check: ({ result, output }) => {
      for (const { src } of assetsOf(result)) expect(output.behind(src).length).toBeGreaterThan(0)
    },
  },
  {
    name: 'pictures in two widths and formats, with a preview',
    files: {
      'main.js': `
        import hero from 'content-space:asset/${kits.brand}/hero-photo?w=20;30;500&format=webp;png&placeholder=blur'
        ${print('hero')}`,
    },
    downloads: 1,
    emitted: 6,
    async check({ result, output }) {
      const { src, srcset, sources, ...hero } = Object(result)
      expect(hero).toMatchObject({
        format: 'png',
        width: 60,
        height: 40,
        placeholder: expect.stringMatching(/^data:image\/webp/),
      })
      expect(sources.map(({ type }: { type: string }) => type)).toEqual(['image/webp', 'image/png'])
      expect(srcset).toBe(sources[1].srcset)
      const files: string[][] = [...sources[0].srcset.split(', '), ...srcset.split(', ')].map((entry: string) =>
        entry.split(' '),
      )
      for (const [address = '', descriptor] of files) {
        const { width, format } = await sharp(output.behind(address)).metadata()
        expect(`${width}w`).toBe(descriptor)
        expect(address).toMatch(new RegExp(`\\.${format}$`))
      }
      expect(src).toBe(files.at(-1)?.[0])
    },
  },
  {
    name: 'several files of an asset, in names without a hash',
    files: {
      'main.js': `
        import hero from 'content-space:asset/${kits.brand}/hero-photo?w=20;30&format=webp'
        import grey from 'content-space:asset/${kits.brand}/hero-photo?w=20&format=webp&greyscale&as=url'
        import square from 'content-space:asset/${kits.brand}/hero-photo?w=20&h=20&format=webp&as=url'
        import photo from 'content-space:asset/${kits.brand}/hero-photo?url'
        import logo from 'content-space:asset/${kits.brand}/acme-logo?url'
        const sizes = hero.srcset.split(', ').map((entry) => entry.split(' ')[0])
        ${print('[...sizes, grey, square, photo, logo]')}`,
    },
    settings: { hashes: false },
    isVariant: true,
    downloads: 2,
    emitted: 6,
    async check({ result, output, space }) {
      const addresses: string[] = Object(result)
      const names = addresses.map((address) => address.slice(address.lastIndexOf('/') + 1))
      expect(names).toEqual([
        'hero-photo-20.webp',
        'hero-photo-30.webp',
        expect.stringMatching(/^hero-photo-20-[\da-f]{8}\.webp$/),
        expect.stringMatching(/^hero-photo-20-[\da-f]{8}\.webp$/),
        'hero-photo.jpg',
        'acme-logo.svg',
      ])
      expect(new Set(names).size).toBe(6)
      const pictures = addresses.slice(0, 4).map((address) => sharp(output.behind(address)).metadata())
      expect((await Promise.all(pictures)).map(({ width, height }) => [width, height])).toEqual([
        [20, 13],
        [30, 20],
        [20, 13],
        [20, 20],
      ])
      expect(output.behind(addresses[4] ?? '')).toEqual(space.original('brand/02 Photos/hero-photo.jpg'))
    },
  },
  {
    name: 'names that are reserved words or contain other characters than ASCII',
    files: {
      'main.js': `import { _default, ÅÄÖ漢字X as odd } from '${brand}'; ${print('[_default, odd]')}`,
    },
    downloads: 2,
    check: ({ result, output }) => {
      expect(result).toMatchObject([{ name: 'Default' }, { name: 'ÅÄÖ & "#?%": 漢字 ../x' }])
      for (const { src } of assetsOf(result)) expect(output.behind(src).length).toBeGreaterThan(0)
      for (const [path] of output.assets()) expect(path).toMatch(/^[\w./-]+$/)
    },
  },
  {
    name: 'colors of a kit, without its fonts',
    files: {
      'main.js': `import { colors } from 'content-space:tokens/${kits.style}'; ${print('colors')}`,
    },
    downloads: 0,
    check: ({ result }) => {
      expect(result).toMatchObject({
        coral: {
          name: 'Coral',
          slug: 'coral',
          group: ['Colours'],
          notes: 'One a page. </script>',
          hex: '#e5603f',
          alpha: 1,
          css: '#e5603f',
          rgb: [229, 96, 63],
        },
        mist: { group: ['Colours', 'Faint'], css: 'rgb(229 96 63 / 40%)', alpha: 0.4 },
      })
    },
  },
  {
    name: 'fonts of a kit',
    files: {
      'main.js': `
        import { fonts as renamed } from 'content-space:tokens/${kits.style}@draft'
        ${print('[renamed.testBold, renamed.testLight]')}`,
    },
    downloads: 2,
    check: ({ result, output, space }) => {
      expect(result).toMatchObject([
        { family: 'Test Sans', weight: 700, style: 'normal', format: 'woff2', group: ['Fonts'] },
        { family: 'Test Sans', weight: 300 },
      ])
      const [bold, light] = Object(result)
      expect(output.behind(bold.src)).toEqual(space.original('style/02 Fonts/test-bold.woff2'))
      expect(output.behind(light.src)).toEqual(space.original('style/02 Fonts/test-light.woff2'))
      expect(light.src).toMatch(/test-light.*\.woff2$/)
    },
  },
  {
    name: 'one of two fonts, and a color',
    files: {
      'main.js': `
        import { fonts, colors } from 'content-space:tokens/${kits.style}'
        ${print('[fonts.testBold.src, fonts["testBold"].weight, colors.coral.hex]')}`,
    },
    downloads: 1,
    check: ({ result, output, space }) => {
      expect(result).toEqual([expect.stringContaining('test-bold'), 700, '#e5603f'])
      expect(output.behind(Object(result)[0])).toEqual(space.original('style/02 Fonts/test-bold.woff2'))
    },
  },
  {
    name: 'tokens as the default export, as a namespace and from a dynamic import',
    files: {
      'main.js': `
        import whole from 'content-space:tokens/${kits.style}'
        import * as all from 'content-space:tokens/${kits.style}'
        const { colors } = await import('content-space:tokens/${kits.style}')
        ${print('[whole.colors.coral.hex, Object.keys(all.fonts), colors.mist.hex, whole.fonts.testBold.src]')}`,
    },
    downloads: 2,
    check: ({ result, output, space }) => {
      expect(result).toEqual(['#e5603f', ['testBold', 'testLight'], '#e5603f', expect.any(String)])
      expect(output.behind(Object(result)[3])).toEqual(space.original('style/02 Fonts/test-bold.woff2'))
    },
  },
  {
    name: 'application icons',
    files: {
      'main.js': `
        import icons from 'content-space:app-icons/${kits.brand}/acme-logo?background=white&padding=10&dark=acme-logo-dark'
        ${print('icons')}`,
    },
    downloads: 2,
    emitted: 7,
    check: checkAppIcons,
  },
  {
    name: 'the links of application icons alone',
    files: {
      'main.js': `
        import icons from 'content-space:app-icons/${kits.brand}/acme-logo'
        ${print('icons.html')}`,
    },
    downloads: 1,
    emitted: 7,
    check({ output, result }) {
      for (const { src } of JSON.parse(String(output.files.get('manifest.webmanifest'))).icons)
        expect([...output.files.keys()]).toContain(src)
      expect(result).toMatch(/^<link rel="icon" href="\/static\/favicon\.ico"/)
    },
  },
  {
    name: 'application icons that are not used',
    files: {
      'main.js': `
        import icons from 'content-space:app-icons/${kits.brand}/acme-logo'
        const show = () => icons.html
        ${print('"none"')}`,
    },
    downloads: 0,
    check: ({ result }) => expect(result).toBe('none'),
  },
  {
    name: 'source maps',
    files: {
      'main.js': `import { acmeLogo } from '${brand}'\nfunction show(asset) {\n  ${print('asset.src')}\n}\nshow(acmeLogo)\n`,
    },
    settings: { sourcemap: true },
    downloads: 1,
    check: ({ output }) => {
      const [, bytes] = [...output.files].find(([path]) => path === 'main.js.map') ?? []
      const map = JSON.parse(String(bytes))
      expect(map.sources).toContainEqual(expect.stringMatching(/main\.js$/))
      expect(map.sourcesContent.join()).toContain('function show(asset)')
    },
  },
]
