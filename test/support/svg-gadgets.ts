import { svg } from './svg-hostile.js'

/** Attributes in which libraries on a page look for code, here a call of `hit`, or for URLs to request. */
const gadgets = [
  'x-init="hit()"',
  'x-data="{ a: hit() }"',
  'x-data="" x-effect="hit()"',
  'x-data="" x-text="hit()"',
  'x-data="" x-html="hit()"',
  'x-data="" x-show="hit()"',
  'x-data="" x-bind:style="hit()"',
  'x-data="" x-on:click="hit()"',
  'x-data="" :style="hit()"',
  'x-data="" @click="hit()"',
  'x-data="" @click.window="hit()"',
  'x-data="" x-intersect="hit()"',
  'x-data="" x-model="hit()"',
  'v-scope="{ a: hit() }"',
  'v-scope="" v-effect="hit()"',
  'v-effect="hit()"',
  'v-html="hit()"',
  'v-text="hit()"',
  'v-if="hit()"',
  'v-for="a in hit()"',
  'v-show="hit()"',
  'v-bind:style="hit()"',
  'v-on:click="hit()"',
  '@vue:mounted="hit()"',
  'hx-on:click="hit()"',
  'hx-on::load="hit()"',
  'hx-on--load="hit()"',
  'hx-on:htmx:load="hit()"',
  'data-hx-on:click="hit()"',
  'hx-get="/request" hx-trigger="load"',
  'hx-get="/request" hx-trigger="load" hx-vals="js:{a: hit()}"',
  'data-hx-post="/request" data-hx-trigger="load"',
  'hx-get="/request" hx-trigger="load[hit()]"',
  'hx-delete="/request" hx-trigger="revealed"',
  'hx-boost="true" hx-ext="ignore:x" hx-put="/request" hx-trigger="every 1ms"',
]

const shape = (attributes: string) => `<path d="M0 0h9v9z" ${attributes}/>`
const inkscape = 'http://www.inkscape.org/namespaces/inkscape'

/** The elements that get one of these attributes. */
const carriers: Record<string, (attributes: string) => string> = {
  root: (attributes) => svg('').replace('<svg', `<svg ${attributes}`),
  shape: (attributes) => svg(shape(attributes)),
  group: (attributes) => svg(`<g ${attributes}>${shape('')}</g>`),
  link: (attributes) => svg(`<a href="#ground" ${attributes}>${shape('')}</a>`),
  'style sheet': (attributes) => svg(`<style ${attributes}>path:hover{fill:red}</style>${shape('')}`),
  title: (attributes) => svg(`<title ${attributes}>a</title><desc ${attributes}>b</desc>`),
  'element of Inkscape': (attributes) =>
    svg('').replace('<svg', `<svg xmlns:i="${inkscape}"`).replace('</svg>', `<i:grid ${attributes}/></svg>`),
  'namespaces of Inkscape': (attributes) => {
    const prefixes = ['x-on', 'x-bind', 'v-on', 'v-bind', 'hx-on', 'data-hx-on']
    const declared = prefixes.map((prefix) => ` xmlns:${prefix}="${inkscape}"`).join('')
    return svg(shape(attributes)).replace('<svg', `<svg${declared}`)
  },
}

/** Declarations that make an element cover other parts of the page. */
const covers = [
  'position:fixed;inset:0',
  'position:absolute;left:-3000px;top:-3000px',
  'position:sticky;top:0;z-index:9',
  'overflow:visible',
  'overflow-x:visible;overflow-y:visible',
  'transform:scale(100)',
  'scale:100',
  'translate:-300px -300px',
  'rotate:45deg',
  'zoom:50',
  'margin:-500px',
  'filter:url(#flood)',
  'filter:drop-shadow(40px 40px 0 red)',
  'box-shadow:0 0 0 9000px red',
  'outline:9000px solid red',
  'border:900px solid red',
  'padding:900px',
  'offset:path("M500 500h9") 1px',
  'animation:move 1ms forwards',
  '-webkit-transform:scale(100)',
]

const flood =
  '<filter id="flood" filterUnits="userSpaceOnUse" x="-9000" y="-9000" width="18000" height="18000"><feFlood flood-color="red"/></filter>' +
  '<rect x="-9000" y="-9000" width="18000" height="18000" fill="red"/>'
const move = '@keyframes move{to{transform:translate(-300px,-300px)}}'
const rule = (selector: string) => (css: string) => {
  const text = `${move}${selector.replace('{}', `{${css}}`)}path:hover{fill:red}`
  return svg(`<style>${text.replaceAll('&', '&amp;')}</style>${flood}`).replace('<svg', '<svg class="cover" id="cover"')
}

/** The contexts that contain these declarations. */
const places: Record<string, (css: string) => string> = {
  'style attribute': (css) =>
    svg(`<style>${move}</style>${flood}`).replace('<svg', `<svg style="${css.replaceAll('"', "'")}"`),
  'style attribute alone': (css) => svg(flood).replace('<svg', `<svg style="${css.replaceAll('"', "'")}"`),
  ...Object.fromEntries(
    [
      'svg{}',
      '*{}',
      ':root{}',
      '.cover{}',
      '#cover{}',
      '[width]{}',
      'svg:not(a){}',
      ':is(svg,a){}',
      'body svg{}',
      '@media all{svg{}}',
      'svg{&{}}',
      'svg{@media all{}}',
      '@layer a{svg{}}',
      '@scope (svg){:scope{}}',
    ].map((selector) => [selector, rule(selector)]),
  ),
}

const important = (css: string) => css.replaceAll(/(?=;|$)/g, ' !important')

const others: Record<string, string> = {
  'overflow of the root': svg(flood).replace('<svg', '<svg overflow="visible"'),
  'transform of the root': svg(flood).replace('<svg', '<svg transform="scale(100)"'),
  'filter of the root': svg(flood).replace('<svg', '<svg filter="url(#flood)"'),
  'classes of the page': svg(flood).replace('<svg', '<svg class="fixed inset-0"'),
  'animated overflow': svg(`<set attributeName="overflow" to="visible"/>${flood}`),
  'animated overflow by its id': svg(`<g><set href="#r" attributeName="overflow" to="visible"/></g>${flood}`).replace(
    '<svg',
    '<svg id="r"',
  ),
  'animated transform': svg(
    `<animateTransform attributeName="transform" type="scale" to="100" dur="1ms" fill="freeze"/>${flood}`,
  ),
  'animated class': svg(`<set attributeName="class" to="fixed inset-0"/>${flood}`),
  'animated motion': svg(`<animateMotion path="M500 500h9" dur="1ms" fill="freeze"/>${flood}`),
  'animated filter': svg(`<set attributeName="filter" to="url(#flood)"/>${flood}`),
}

const product = <T>(rows: readonly string[], columns: Record<string, (row: string) => T>): [string, T][] =>
  rows.flatMap((row) => Object.entries(columns).map(([name, make]): [string, T] => [`${row} on ${name}`, make(row)]))

/** Drawings that contain code for libraries to run. */
export const ofLibraries: Record<string, string> = Object.fromEntries(product(gadgets, carriers))

/** Drawings that cover other parts of the page. */
export const overPage: Record<string, string> = Object.fromEntries([
  ...product([...covers, ...covers.slice(0, 5).map(important)], places),
  ...Object.entries(others),
])
