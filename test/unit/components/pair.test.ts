import { h as preactElement } from 'preact'
import { renderToString as renderPreact } from 'preact-render-to-string'
import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { createComponent, renderToString as renderSolid } from 'solid-js/web'
import { h } from 'vue'
import { renderToString as renderVue } from 'vue/server-renderer'
import { expect, test } from 'vitest'
import * as preact from '../../../src/components/runtime/preact.js'
import * as react from '../../../src/components/runtime/react.js'
import * as solid from '../../../src/components/runtime/solid.js'
import * as vue from '../../../src/components/runtime/vue.js'

const drawing = '[{"viewBox":"0 0 9 9"},""]\n<path/>'
const picture = { src: '/a.png' }
const props = { id: 'i', priority: true }

test.each([
  [
    'react',
    (as: 'svg' | 'image') => {
      const made = as === 'svg' ? react.svg(drawing) : react.image(picture)
      return renderToStaticMarkup(createElement(react.pair(made, made), props))
    },
  ],
  [
    'preact',
    (as: 'svg' | 'image') => {
      const made = as === 'svg' ? preact.svg(drawing) : preact.image(picture)
      return renderPreact(preactElement(preact.pair(made, made), props))
    },
  ],
  [
    'solid',
    (as: 'svg' | 'image') => {
      const made = as === 'svg' ? solid.svg(drawing) : solid.image(picture)
      return renderSolid(() => createComponent(solid.pair(made, made), props))
    },
  ],
  [
    'vue',
    (as: 'svg' | 'image') => {
      const made = as === 'svg' ? vue.svg(drawing) : vue.image(picture)
      return renderVue(h(vue.pair(made, made), props))
    },
  ],
])('a pair of %s has the id of the application once, and loads what is shown', async (_, render) => {
  for (const as of ['svg', 'image'] as const) {
    const html = await render(as)
    expect(html.match(/ id="i"|content-space-\w+/g)?.toSorted()).toEqual([
      ' id="i"',
      'content-space-dark',
      'content-space-light',
    ])
    expect(html.indexOf('id="i"')).toBeLessThan(html.lastIndexOf(as === 'svg' ? '<svg' : '<img'))
    expect(html).not.toContain('eager')
  }
})
