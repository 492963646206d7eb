import { fileURLToPath } from 'node:url'
import { expect } from 'vitest'
import type { Output } from './driver.js'
import type { Scenario } from './scenarios.js'
import { kits } from './space.js'

const big = `content-space:kit/${kits.big}?as=react`
const repository = fileURLToPath(new URL('../..', import.meta.url)).slice(0, -1)

/** Prints what React renders on a server. */
const print = (children: string) =>
  `console.log(JSON.stringify(renderToString(createElement('main', null, ${children}))))`
const react = `
  import { createElement } from 'react'
  import { renderToString } from 'react-dom/server.edge'`
const packages = ['react', 'react-dom']

const three = ['Asset00003', 'Asset00250', 'Asset01000']

function checkScripts({ files }: Output): void {
  for (const [path, bytes] of files) {
    if (!/\.[cm]?js$/.test(path)) continue
    const code = bytes.toString()
    expect(code).not.toMatch(/(?:from|import|require\()\s*["']unplugin-content-space/)
    for (const quote of [`"`, `'`, '`']) expect(code).not.toContain(quote + repository)
  }
}

/** Returns how many of the 1,000 drawings a build contains. */
function drawingsIn({ files }: Output): number {
  return [...files.values()].reduce((count, bytes) => count + bytes.toString().split('M0 0h40v20H0z').length - 1, 0)
}

const svg = (more: string, title = '') =>
  `<svg width="40" height="20" viewBox="0 0 40 20" ${more}>${title}<path d="M0 0h40v20H0z"/></svg>`

/** Tests how bundlers treat components, which React renders from the built output. */
export const componentScenarios: Scenario[] = [
  ...[false, true].map((minify): Scenario => ({
    name: `three of 1,000 drawings as components${minify ? ', minified' : ''}`,
    files: {
      'main.js': `${react}
        import { ${three.join()} } from '${big}'
        ${print(`createElement(Asset00003), createElement(Asset00250, { title: 'A < B' }), createElement(Asset01000, { className: 'x' })`)}`,
    },
    packages,
    settings: { minify },
    isVariant: minify,
    downloads: 3,
    emitted: 0,
    check({ output, result }) {
      const drawings = [
        svg('aria-hidden="true"'),
        svg('role="img"', '<title>A &#60; B</title>'),
        svg('aria-hidden="true" class="x"'),
      ]
      expect(result).toBe(`<main>${drawings.join('')}</main>`)
      expect(drawingsIn(output)).toBe(3)
      checkScripts(output)
    },
  })),
  {
    name: 'pictures as components',
    files: {
      'main.js': `${react}
        import { HeroPhoto } from 'content-space:kit/${kits.brand}?as=react'
        import Hero from 'content-space:asset/${kits.brand}/hero-photo?as=react&w=20;30&format=webp;png&placeholder=color'
        ${print(`createElement(HeroPhoto, { alt: 'Photo', width: 30 }), createElement(Hero, { alt: '', sizes: '100vw', priority: true })`)}`,
    },
    packages,
    downloads: 1,
    emitted: 5,
    check({ output, result }) {
      const html = String(result)
      const addresses = [...html.matchAll(/\/static\/[\w./-]+/g)].map(([address]) => address)
      expect(new Set(addresses).size).toBe(5)
      for (const address of addresses) expect(output.behind(address).length).toBeGreaterThan(0)
      const withoutFiles = html
        .replaceAll(/\/static\/[\w./-]+?\.(\w+)(?=[ "])/g, '*.$1')
        .replace(/data:image\/png;base64,[\w+/=]+/, '*')
        .replace(/<link[^>]*>/g, '')
      expect(withoutFiles).toBe(
        '<main><img loading="lazy" decoding="async" width="30" height="20" data-content-picture="" alt="Photo" src="*.jpg"/>' +
          '<picture><source type="image/webp" sizes="100vw" srcSet="*.webp 20w, *.webp 30w"/>' +
          '<source type="image/png" sizes="100vw" srcSet="*.png 20w, *.png 30w"/>' +
          '<img loading="eager" decoding="async" width="30" height="20" data-content-picture="" sizes="100vw" fetchPriority="high" alt="" ' +
          'style="background:url(&quot;*&quot;) 50%/cover no-repeat" srcSet="*.png 20w, *.png 30w" src="*.png"/>' +
          '</picture></main>',
      )
      checkScripts(output)
    },
  },
  {
    name: 'components of Preact',
    files: {
      'main.js': `
        import { h } from 'preact'
        import { renderToString } from 'preact-render-to-string'
        import { AcmeLogo, HeroPhoto } from 'content-space:kit/${kits.brand}?as=preact&placeholder=color'
        console.log(JSON.stringify(renderToString(h('main', null, h(AcmeLogo, { class: 'a', className: undefined,
          style: { height: 9 } }), h(HeroPhoto, { alt: 'Photo', height: 20 })))))`,
    },
    packages: ['preact', 'preact-render-to-string'],
    downloads: 2,
    emitted: 1,
    check({ output, result }) {
      const [svgPart, image = ''] = String(result).split(/(?=<img)/)
      expect(svgPart).toBe(
        '<main><svg viewBox="0 0 40 20" aria-hidden="true" class="a" style="height:9px;"><path d="M0 0h40v20H0z"/></svg>',
      )
      expect(image).toMatch(
        /^<img loading="lazy" decoding="async" width="30" height="20" data-content-picture alt="Photo" style="background:url\(&quot;data:image\/png;base64,[^"]*&quot;\) 50%\/cover no-repeat;" src="\/static\/[^"]*"\/><\/main>$/,
      )
      checkScripts(output)
    },
  },
  {
    name: 'a component of the framework that option components names',
    options: { components: 'react' },
    files: {
      'main.js': `${react}
        import Logo from 'content-space:asset/${kits.brand}/acme-logo?as=component&currentcolor'
        ${print(`createElement(Logo, { width: 80, style: { color: 'red' } })`)}`,
    },
    packages,
    downloads: 1,
    emitted: 0,
    check({ result }) {
      expect(result).toBe(
        '<main><svg width="80" viewBox="0 0 40 20" fill="currentColor" aria-hidden="true" style="color:red">' +
          '<path d="M0 0h40v20H0z"/></svg></main>',
      )
    },
  },
]
