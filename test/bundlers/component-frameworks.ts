import { parseFragment, serialize, type DefaultTreeAdapterTypes } from 'parse5'
import { expect } from 'vitest'
import { compareStrings } from '../../src/text/compare.js'
import type { Scenario } from './scenarios.js'
import { kits } from './space.js'

const big = `content-space:kit/${kits.big}`
const photo = `content-space:asset/${kits.brand}/hero-photo?w=20;30&format=webp;png&placeholder=color`

/** A framework with components that don't need a compiler. */
interface Framework {
  as: string
  packages: string[]
  /** Defines `h`, which makes an element from a component, and `render`, which returns the markup of elements. */
  prelude: string
  /** The bundlers that choose the framework's build for servers. Undefined for all. */
  bundlers?: string[]
}

const frameworks: Framework[] = [
  {
    as: 'vue',
    packages: ['vue'],
    prelude: `
      import { createSSRApp, h } from 'vue'
      import { renderToString } from 'vue/server-renderer'
      const render = (make) => renderToString(createSSRApp({ render: () => h('main', make()) }))`,
  },
  {
    as: 'solid',
    packages: ['solid-js'],
    prelude: `
      import { createComponent as h } from 'solid-js'
      import { renderToString } from 'solid-js/web'
      const render = (make) => '<main>' + renderToString(make) + '</main>'`,
    bundlers: ['esbuild', 'farm', 'rollup', 'rspack', 'webpack'],
  },
]

/**
 * Returns markup with sorted attributes and without anything that only hydration needs, because frameworks write the
 * same elements differently.
 */
function normalized(html: string): string {
  const fragment = parseFragment(html)
  const visit = (node: DefaultTreeAdapterTypes.ParentNode): void => {
    node.childNodes = node.childNodes.filter(({ nodeName }) => nodeName !== '#comment')
    for (const child of node.childNodes) {
      if (!('attrs' in child)) continue
      child.attrs = child.attrs
        .filter(({ name }) => name !== 'data-hk')
        .map(({ name, value }) => ({ name, value: value.replace(/[ ;]$/, '') }))
        .toSorted((a, b) => compareStrings(a.name, b.name))
      visit(child)
    }
  }
  visit(fragment)
  return serialize(fragment)
}

/** Tests components of frameworks that bundlers build without a compiler. They are rendered as on a server. */
export const frameworkScenarios: Scenario[] = frameworks.flatMap(({ as, packages, prelude, bundlers }) => [
  {
    name: `drawings as components of ${as}`,
    files: {
      'main.js': `${prelude}
        import { Asset00003, Asset00250 } from '${big}?as=${as}'
        const html = await render(() => [h(Asset00003, { width: 80 }), h(Asset00250, { title: 'A < B', class: 'x' })])
        console.log(JSON.stringify(html))`,
    },
    packages,
    ...(bundlers && { bundlers }),
    downloads: 2,
    emitted: 0,
    check({ result }) {
      const path = '<path d="M0 0h40v20H0z"></path>'
      expect(normalized(String(result))).toBe(
        `<main><svg aria-hidden="true" viewBox="0 0 40 20" width="80">${path}</svg>` +
          '<svg class="x" height="20" role="img" viewBox="0 0 40 20" width="40">' +
          `<title>A &lt; B</title>${path}</svg></main>`,
      )
    },
  },
  {
    name: `a picture as a component of ${as}`,
    files: {
      'main.js': `${prelude}
        import Hero from '${photo}&as=${as}'
        console.log(JSON.stringify(await render(() => [h(Hero, { alt: '', sizes: '100vw', priority: true, class: 'x' })])))`,
    },
    packages,
    ...(bundlers && { bundlers }),
    downloads: 1,
    emitted: 4,
    check({ output, result }) {
      const html = normalized(String(result))
      const addresses = html.match(/\/static\/[\w./-]+/g) ?? []
      for (const address of addresses) expect(output.behind(address).length).toBeGreaterThan(0)
      const withoutFiles = html
        .replaceAll(/\/static\/[\w./-]+?\.(\w+)(?=[ "])/g, '*.$1')
        .replace(/data:image\/png;base64,[\w+/=]+/, '*')
      expect(withoutFiles).toBe(
        '<main><picture><source sizes="100vw" srcset="*.webp 20w, *.webp 30w" type="image/webp">' +
          '<source sizes="100vw" srcset="*.png 20w, *.png 30w" type="image/png">' +
          '<img alt="" class="x" data-content-picture="" decoding="async" fetchpriority="high" height="20" loading="eager" sizes="100vw" ' +
          'src="*.png" srcset="*.png 20w, *.png 30w" style="background:url(&quot;*&quot;) 50%/cover no-repeat" ' +
          'width="30"></picture></main>',
      )
    },
  },
])
