import sharp from 'sharp'

const box = 'viewBox="0 0 100 100"'
const svg = (inside: string, attributes = box) =>
  `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" ${attributes}>${inside}</svg>`
const base64 = (text: string) => Buffer.from(text).toString('base64')

const dot = await sharp({ create: { width: 4, height: 4, channels: 3, background: '#e5603f' } })
  .png()
  .toBuffer()
const png = dot.toString('base64')
const image = (href: string) => svg(`<image width="100" height="100" xlink:href="${href}"/>`)
const circle =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 10 10"><circle cx="5" cy="5" r="5" fill="#e5603f"/></svg>'

const shapes = '<rect class="a" width="100" height="100"/><circle class="b" cx="50" cy="50" r="30"/>'
const rules = '.a{fill:#e5603f}.b{fill:none;stroke:#245;stroke-width:8}'
const sheet = (before: string, after = '') => svg(`<style>${before}${rules}${after}</style>${shapes}`)
const text = (inside: string, size = '') => svg(`<g font-size="20" font-family="sans-serif"${size}>${inside}</g>`)
const bar = '<rect id="bar" x="20" y="40" width="60" height="20" fill="#e5603f"/>'

/** Typical drawings, each with a feature that SVG tools often lose or change. */
export const originals: Record<string, string> = {
  'sheet with an import': sheet('@import url("https://fonts.example/css2?family=Inter");'),
  'sheet with a charset': sheet('@charset "UTF-8";'),
  'sheet with a namespace': sheet('@namespace svg url(http://www.w3.org/2000/svg);', 'svg|circle{stroke:#063}'),
  'sheet with a font elsewhere': sheet('@font-face{font-family:Brand;src:url(https://fonts.example/a.woff2)}'),
  'sheet with a font': sheet('@font-face{font-family:Brand;src:url(data:application/font;base64,d09GMgABAAAAAA==)}'),
  'sheet with an escape': svg('<style>.\\37 15ca{fill:#e5603f}</style><rect class="715ca" width="90" height="100"/>'),
  'sheet with a tag in a comment': sheet('/* rules for &lt;rect&gt; */'),
  'sheet in a comment of HTML': sheet('&lt;!-- ', ' --&gt;'),
  'sheet with an address': sheet('', '.b{fill:#063;background:url(https://example.org/a.png)}'),
  'sheet with the root': sheet(':root{color:#063}', '.b{stroke:currentColor}'),
  'sheet with html': sheet('html{margin:0}body,.a{opacity:.5}'),
  'sheet with media': sheet('', '@media all{.b{stroke:#063}}@media print{.a{fill:#000}}'),
  'sheet with a dark mode': sheet('', '@media (prefers-color-scheme:dark){.a{fill:#245}.b{stroke:#e5603f}}'),
  'sheets of media': svg(
    `<style>${rules}</style><style media="print">.a{fill:#000}</style><style media="(prefers-color-scheme:dark)">.b{stroke:#063}</style>${shapes}`,
  ),
  'sheet of a medium': svg(`<style media="print">.a{fill:#000}</style><g fill="#e5603f">${shapes}</g>`),
  'sheet with an id and a dark mode': svg(
    '<style>#r{fill:#e5603f}@media (prefers-color-scheme:dark){#r{fill:#063}}</style><rect id="r" width="90" height="90"/>',
  ),
  'sheet with nesting': sheet('', '.b{&amp;{stroke:#063}}'),
  'sheet with a layer': sheet('@layer base{.a{fill:#000}}'),
  'sheet with types': svg(
    '<style>rect{fill:#e5603f}circle,ellipse{fill:#245}</style><rect width="50" height="100"/><circle cx="70" cy="50" r="20"/>',
  ),
  'sheet with attributes': svg(
    '<style>[width="50"]{fill:#e5603f}g>circle{fill:#245}</style><rect width="50" height="100"/><g><circle cx="70" cy="50" r="20"/></g>',
  ),
  'sheet with attributes and a dark mode': svg(
    '<style>@media (prefers-color-scheme:dark){[fill="#ff0000"]{fill:#063}[d^="M 0"]{fill:#e5603f}}</style><rect width="50" height="100" fill="#ff0000"/><path d="M 0 0 L 90.00 0 L 90 50"/>',
  ),
  'sheet as CDATA': svg(`<style><![CDATA[${rules} .a > .b{fill:red}]]></style>${shapes}`),
  'two sheets': svg(`<style>.a{fill:red}</style><style>${rules}</style>${shapes}`),
  'sheet with hover': sheet('', '.a:hover{fill:#000}'),
  'style with an escape': svg(
    `<rect style="fill:#e5603f;-inkscape-font-specification:'Font\\, Bold'" width="90" height="90"/>`,
  ),
  'style with an address': svg(
    '<rect style="fill:#e5603f;background:url(https://example.org/a.png)" width="90" height="90"/>',
  ),
  'picture without a type': image(`data:;base64,${png}`),
  'picture of a wrong type': image(`data:img/png;base64,${png}`),
  'picture with a charset': image(`data:image/png;charset=utf-8;base64,${png}`),
  'picture in percent': image(
    `data:image/png;base64,${png.replaceAll('+', '%2B').replaceAll('/', '%2F').replaceAll('=', '%3D')}`,
  ),
  'picture of SVG': image(`data:image/svg+xml;base64,${base64(circle)}`),
  'picture of SVG in percent': image(`data:image/svg+xml,${encodeURIComponent(circle)}`),
  'picture of SVG with a picture': image(`data:image/svg+xml;base64,${base64(image(`data:;base64,${png}`))}`),
  'drop shadow': svg(
    '<filter id="s"><feDropShadow dx="9" dy="9" stdDeviation="3"/></filter><rect x="15" y="15" width="60" height="60" fill="#e5603f" filter="url(#s)"/>',
  ),
  'picture in a filter': svg(
    `<filter id="f"><feImage href="data:image/png;base64,${png}"/></filter><rect width="90" height="90" filter="url(#f)"/>`,
  ),
  'class in defs': svg(
    '<style>.a{fill:#e5603f}</style><defs><g id="s"><rect class="a" width="90" height="100"/></g></defs><use href="#s"/>',
  ),
  'symbol with media': svg(
    '<style>.a{fill:#e5603f}@media print{.a{fill:#fff}}</style><symbol id="s" viewBox="0 0 10 10"><rect class="a" width="9" height="10"/></symbol><use href="#s" width="100" height="100"/>',
  ),
  'use of use': svg(
    '<style>.a{fill:#e5603f}.a:hover{fill:#000}</style><defs><rect id="r" class="a" width="40" height="40"/><g id="g"><use href="#r" x="9"/></g></defs><use href="#g"/><use href="#g" y="50"/>',
  ),
  'id with a space': svg(
    `<linearGradient id="a b"><stop stop-color="#e5603f"/></linearGradient><rect width="90" height="90" fill="url('#a b')"/>`,
  ),
  'address with quotes': svg(
    `<linearGradient id="a"><stop stop-color="#e5603f"/></linearGradient><rect width="90" height="90" style="fill:url( '#a' )"/>`,
  ),
  'size in the style': svg(bar, `${box} style="width:40px;height:40px"`),
  'size in millimetres': svg(bar, `${box} width="20mm" height="20mm"`),
  'size in points': svg(bar, `${box} width="60pt" height="60pt"`),
  'size in em': svg(bar, `${box} width="5em" height="5em"`),
  'size without a box': svg(bar, 'width="100" height="100"'),
  'no size and no box': svg(bar, ''),
  'marker on a rectangle': svg(
    '<marker id="m" refX="25" refY="25" markerWidth="50" markerHeight="50" markerUnits="userSpaceOnUse"><circle cx="25" cy="25" r="25"/></marker><rect x="25" y="25" width="50" height="50" fill="#e5603f" marker-start="url(#m)"/>',
  ),
  'marker on a line': svg(
    '<marker id="m" refX="5" refY="5" markerWidth="9" markerHeight="9" orient="auto"><path d="M0 0l9 5-9 5z"/></marker><path d="M10 50L80 50L80 80z" fill="none" stroke="#245" stroke-width="3" marker-end="url(#m)" marker-mid="url(#m)"/>',
  ),
  'fill of the context': svg(
    '<marker id="m" refX="5" refY="5" markerWidth="5" markerHeight="5"><circle cx="5" cy="5" r="5" fill="context-stroke"/></marker><path d="M10 50h70" stroke="#e5603f" stroke-width="6" marker-end="url(#m)"/>',
  ),
  'origin of a transform': svg(
    '<rect x="25" y="25" width="50" height="50" fill="#e5603f" transform="rotate(45)" transform-origin="50px 50px"/>',
  ),
  'origin in words': svg(
    '<rect x="25" y="25" width="50" height="30" fill="#e5603f" transform="rotate(20)" transform-origin="center"/>',
  ),
  'transform with commas': svg(
    '<radialGradient id="g" gradientTransform="translate(0,5, 0,5), scale(0,448, 1)"><stop stop-color="#e5603f"/><stop offset="1" stop-color="#245"/></radialGradient><rect width="90" height="90" fill="url(#g)"/>',
  ),
  'text in em': text('<text y="60" font-size="3em" fill="#e5603f" font-weight="bold">MM</text>'),
  'text in percent': text('<text y="60"><tspan font-size="200%">A<tspan font-size="50%">b</tspan></tspan></text>'),
  'text on a path': text(
    '<path id="p" d="M5 60Q50 5 95 60" fill="none"/><text><textPath href="#p">along a path</textPath></text>',
  ),
  'text on a rectangle': svg(
    '<rect id="p" x="20" y="20" width="60" height="60" fill="#e5603f"/><text font-size="14"><textPath href="#p">around and around</textPath></text>',
  ),
  'text with spaces': text('<text y="40" xml:space="preserve">a  <tspan fill="#e5603f"> b </tspan>  c</text>'),
  'switch that hides': svg(
    '<switch><rect display="none" width="90" height="90"/><rect width="90" height="90" fill="#e5603f"/></switch><circle r="30"/>',
  ),
  'thin lines in a stretched box': svg(
    '<g fill="none" stroke="#000"><rect x="42" y="10" width="320" height="80"/><rect x="122" y="30" width="160" height="40"/></g>',
    'viewBox="0 0 400 100" preserveAspectRatio="none"',
  ),
  'thin lines in a stretched group': svg(
    '<g fill="none" stroke="#000" transform="scale(.25 1)"><rect x="42" y="10" width="320" height="80"/><rect x="122" y="30" width="160" height="40"/></g>',
  ),
  'negative width': svg('<rect width="-90" height="90" fill="red"/><rect width="50" height="90" fill="#e5603f"/>'),
  'odd points': svg('<polygon points="10 10 90 10 50 90 5" fill="#e5603f"/>'),
  'blend of a group': svg(
    '<rect width="90" height="90" fill="#245"/><g opacity=".5"><g style="mix-blend-mode:screen"><rect x="20" y="20" width="70" height="70" fill="#e5603f"/></g></g>',
  ),
  'mask with a gradient': svg(
    '<linearGradient id="g"><stop stop-color="#fff"/><stop offset="1"/></linearGradient><mask id="m"><rect width="100" height="100" fill="url(#g)"/></mask><rect width="100" height="100" fill="#e5603f" mask="url(#m)"/>',
  ),
  'prefix of SVG':
    '<s:svg xmlns:s="http://www.w3.org/2000/svg" viewBox="0 0 100 100"><s:rect width="90" height="90" fill="#e5603f"/></s:svg>',
  'entities of a program': `<!DOCTYPE svg [<!ENTITY st0 "fill:#e5603f;">]>${svg('<rect width="90" height="90" style="&st0;"/>')}`,
  'language of the root': svg(bar, `${box} systemLanguage="xx"`),
}
