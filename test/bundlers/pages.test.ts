import { join } from 'node:path'
import { parse, type DefaultTreeAdapterTypes } from 'parse5'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Options } from '../../src/config/options.js'
import { createProject, readTree } from './driver.js'
import { markupImporters, pageBuilders, type BuildSite } from './markup-builders.js'
import { drawing, kits, openTestSpace, type TestSpace } from './space.js'

let space: TestSpace
beforeAll(async () => void (space = await openTestSpace()))
afterAll(() => space.close())

const asset = `content-space:asset/${kits.brand}`
const page = `<!doctype html>
<html>
  <head>
    <title>Brand</title>
    <link rel="icon" type="image/svg+xml" href="${asset}/acme-logo">
    <meta property="og:image" content="${asset}/acme-logo?w=60&amp;h=30&amp;fit=contain&amp;background=%23fff&amp;format=png">
    <style>body { background: url(${asset}/default) }</style>
  </head>
  <body>
    <!-- ${asset}/nothing -->
    <p title="${asset}/nothing">${asset}/nothing</p>
    <img src="${asset}/hero-photo" alt="" srcset="${asset}/hero-photo?w=20;30" sizes="30px">
    <video poster="${asset}/shared-mark"></video>
    <svg><use href="${asset}/acme-logo-dark#mark"></use></svg>
    <a href="${asset}/hero-photo?cut=png">Download</a>
    <script type="module" src="./main.js"></script>
  </body>
</html>`
const files = { 'index.html': page, 'main.js': `console.log('main')` }

const json = (logo: string): string => `<script type="application/ld+json">{"name":"Acme","logo":${logo}}</script>`

async function build(site: BuildSite, sources: Record<string, string>, base = '/app/', more: Options = {}) {
  const project = await createProject(sources)
  try {
    const lockfile = join(project.root, 'content-space.lock.json')
    const options = { ...space.options(), types: false as const, lockfile, ...more }
    const warnings = await site({ root: project.root, options, base })
    const output = await readTree(join(project.root, 'dist'))
    return { output, html: output.get('index.html')?.toString() ?? '', warnings: warnings.join('\n') }
  } finally {
    await project.remove()
  }
}

/** Returns the values of attributes in a page by element and attribute name, such as `img src`. */
function attributesOf(html: string): Map<string, string> {
  const found = new Map<string, string>()
  const visit = (node: DefaultTreeAdapterTypes.Node): void => {
    for (const { name, value } of 'attrs' in node ? node.attrs : []) found.set(`${node.nodeName} ${name}`, value)
    if ('childNodes' in node) node.childNodes.forEach(visit)
  }
  visit(parse(html))
  return found
}

const withoutHash = (path: string): string => path.replace(/[.-][\w-]{8}(?=\.\w+$)/, '').replace(/^.*\//, '')

describe.each(Object.entries(pageBuilders))('%s', (_, site) => {
  test('replaces ids in pages, and leaves text and comments alone', async () => {
    const { output, html, warnings } = await build(site, files, '/app/', { siteUrl: 'https://example.com' })
    const attributes = attributesOf(html)
    const srcset = (attributes.get('img srcset') ?? '').split(', ').map((candidate) => candidate.split(' '))
    const style = /url\(["']?([^"')]+)/.exec(html)?.[1] ?? ''
    const addresses = {
      icon: attributes.get('link href'),
      social: attributes.get('meta content')?.replace(/^https:\/\/example\.com/, ''),
      style,
      photo: attributes.get('img src'),
      small: srcset[0]?.[0],
      large: srcset[1]?.[0],
      poster: attributes.get('video poster'),
      use: attributes.get('use href')?.replace(/#mark$/, ''),
      link: attributes.get('a href'),
    }
    for (const address of Object.values(addresses)) {
      expect(address).toMatch(/^\/app\//)
      expect([...output.keys()]).toContain(address?.slice('/app/'.length))
    }
    expect(Object.values(addresses).map((address) => withoutHash(address ?? ''))).toEqual([
      'acme-logo.svg',
      'acme-logo.png',
      'default.svg',
      'hero-photo.jpg',
      'hero-photo.jpg',
      'hero-photo.jpg',
      'shared-mark.svg',
      'acme-logo-dark.svg',
      'hero-photo.png',
    ])
    expect(srcset.map(([, width]) => width)).toEqual(['20w', '30w'])
    expect(attributes.get('meta content')).toMatch(/^https:\/\/example\.com\/app\//)
    expect(output.get(addresses.icon?.slice('/app/'.length) ?? '')?.toString()).toBe(drawing('Acme'))
    expect(attributes.get('p title')).toBe(`${asset}/nothing`)
    expect(html).toContain(`${asset}/nothing</p>`)
    expect(html).not.toContain('data-content-space')
    expect(warnings).not.toContain('siteUrl')
  })

  test('warns about a picture for other sites without an absolute address', async () => {
    const twice = page.replace(/<meta property="og(:image[^>]*>)/, '$&<meta name="twitter$1')
    const { warnings } = await build(site, { ...files, 'index.html': twice })
    expect(warnings).toMatch(/index\.html gives other sites the relative URL \/app\/.*acme-logo.*siteUrl/)
    expect(warnings.match(/siteUrl/g)).toHaveLength(1)
  })

  test('replaces ids in JSON, which other sites read', async () => {
    const logo = `["${asset}/acme-logo?w=60&format=png","${asset}/acme-logo-dark#mark"]`
    const withData = { ...files, 'index.html': page.replace('</head>', `${json(logo)}</head>`) }
    const { output, html } = await build(site, withData, '/app/', { siteUrl: 'https://example.com' })
    const data: { logo: string[] } = JSON.parse(/ld\+json"?>([^<]*)</.exec(html)?.[1] ?? '')
    const paths = data.logo.map((address) => new URL(address))
    expect(paths.map(({ origin, hash }) => origin + hash)).toEqual(['https://example.com', 'https://example.com#mark'])
    for (const { pathname } of paths) expect([...output.keys()]).toContain(pathname.slice('/app/'.length))
    expect(html).not.toContain('data-content-space')
    const { warnings } = await build(site, {
      ...files,
      'index.html': `<!doctype html><html><head>${json(logo)}</head></html>`,
    })
    expect(warnings).toMatch(/index\.html gives other sites the relative URL \/app\/.*acme-logo.*siteUrl/)
  })

  test('names the page and the nearest asset in an error', async () => {
    const wrong = { ...files, 'index.html': page.replace('/default', '/acme-loga') }
    const failure = build(site, wrong)
    await expect(failure).rejects.toThrow(/index\.html/)
    await expect(failure).rejects.toThrow(/acme-loga[\s\S]*acme-logo /)
  })

  test('replaces a link to application icons with all links', async () => {
    const link = `<link rel="icon" href="content-space:app-icons/${kits.brand}/acme-logo?name=Acme&amp;padding=10">`
    const { output, html } = await build(site, { ...files, 'index.html': page.replace(/<link [^>]*>/, link) })
    expect(html).not.toContain('content-space:app-icons')
    const links = [...html.matchAll(/<link ([^>]*)>/g)].map(([, attributes = '']) =>
      Object.fromEntries(
        [...attributes.matchAll(/([\w-]+)=["']?([^"'\s>]*)/g)].map(([, name, value]) => [name, value]),
      ),
    )
    expect(links).toEqual([
      { rel: 'icon', href: '/app/favicon.ico', sizes: '32x32' },
      { rel: 'icon', href: '/app/icon.svg', type: 'image/svg+xml' },
      { rel: 'apple-touch-icon', href: '/app/apple-touch-icon.png' },
      { rel: 'manifest', href: '/app/manifest.webmanifest' },
    ])
    for (const { href } of links) expect([...output.keys()]).toContain(href?.slice('/app/'.length))
    const manifest = JSON.parse(String(output.get('manifest.webmanifest')))
    for (const { src } of manifest.icons) expect([...output.keys()]).toContain(src)
  })

  test("rejects an attribute that doesn't take a URL", async () => {
    const wrong = { ...files, 'index.html': page.replace('<p ', `<p data-logo="${asset}/acme-logo" `) }
    await expect(build(site, wrong)).rejects.toThrow(/attribute data-logo of <p>/)
  })
})

test.each(['./', 'https://cdn.example/site/'])('Vite builds pages of several folders with base %s', async (base) => {
  const { output } = await build(
    pageBuilders['Vite'] ?? expect.fail(),
    { ...files, 'index.html': page.replace('</body>', '<a href="./docs/index.html"></a></body>') },
    base,
    { siteUrl: 'https://example.com/site/' },
  )
  const html = output.get('index.html')?.toString() ?? ''
  const attributes = attributesOf(html.replace(/<a href="\.\/docs[^>]*>/, ''))
  const from = base === './' ? 'https://example.com/site/' : 'https://cdn.example/site/'
  expect(attributes.get('meta content')).toMatch(new RegExp(`^${from}assets/acme-logo`))
  const icon = new URL(attributes.get('link href') ?? '', 'https://example.com/site/').href
  expect([...output.keys()].map((path) => from + path)).toContain(icon)
})

describe.each(Object.entries(markupImporters))('%s', (_, site) => {
  const markup = `<img src="${asset}/acme-logo" srcset="${asset}/hero-photo?w=20 20w">`
  const script = `import markup from './part.html'\nconsole.log(markup)\n`

  test('replaces ids in markup that a script imports', async () => {
    const { output } = await build(site, { 'main.js': script, 'part.html': markup })
    const emitted = [...output.keys()].filter((path) => !path.endsWith('.js'))
    expect(emitted.map(withoutHash).toSorted()).toEqual(['acme-logo.svg', 'hero-photo.jpg'])
    expect(output.get('main.js')?.toString()).not.toContain('content-space:asset')
  })

  test('rejects an id in an attribute that html-loader does not read', async () => {
    const failure = build(site, { 'main.js': script, 'part.html': `<a href="${asset}/acme-logo"></a>` })
    await expect(failure).rejects.toThrow(/attribute href of <a>[\s\S]*part\.html/)
  })
})
