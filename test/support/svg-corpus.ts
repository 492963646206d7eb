const open = '<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="90" height="60">'
const drawing = '<rect id="ground" width="90" height="60" fill="red"/>'
/** A drawing with something in it. */
export const svg = (inside: string) => `${open}${drawing}${inside}</svg>`

/** Nothing active: what drawing programs write. */
export const harmless: Record<string, string> = {
  plain: svg(''),
  prolog: `<?xml version="1.0" encoding="UTF-8" standalone="no"?>\n<!-- Drawn -->\n<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd">\n${svg('')}`,
  style: svg('<style>.a{fill:url(#g)} @media (prefers-color-scheme: dark){.a{fill:#fff}}</style>'),
  'style as CDATA': svg('<style><![CDATA[.a > .b{fill:red}]]></style>'),
  gradient: svg('<defs><linearGradient id="after"><stop offset="0"/></linearGradient></defs><path fill="url(#after)" d="M0 0h9v9z"/>'),
  use: svg('<use xlink:href="#ground" x="3"/><use href="#ground"/>'),
  picture: svg('<image href="data:image/png;base64,iVBORw0KGgo=" width="3"/>'),
  animation: svg('<animate href="#ground" attributeName="x" from="0" to="9" dur="1s" begin="ground.click"/>'),
  'names in attributes': svg(
    `<text font-family="'Open Sans', &quot;A (b)&quot;" data-name="C:\\a" aria-label="src(a) \\ image(b)">a \\ url(https://example.org)</text>` +
      `<title>image-set(a)</title><desc>u\\72l(b)</desc><rect mask="url( '#m' )" fill="url(#g) none" transform="rotate(3)"/>`,
  ),
  'animated references': svg(`<animate attributeName="fill" values="url(#g);url('#h')" from="url(#g)" dur="1s" begin="a\\-b.click"/>`),
  'glyph of a backslash': svg('<font><glyph unicode="\\" glyph-name="backslash"/><hkern u1="\\" g2="a" k="1"/></font>'),
  inkscape: `<svg xmlns="http://www.w3.org/2000/svg" xmlns:sodipodi="http://sodipodi.sourceforge.net/DTD/sodipodi-0.dtd" sodipodi:docname="a.svg"><sodipodi:namedview pagecolor="#fff"/></svg>`,
}

/** Each runs a script, calls elsewhere, or hides one of these, somewhere. */
export const hostile: Record<string, string> = {
  script: svg('<script>hit()</script>'),
  'script by address': svg('<script href="https://evil.example/x.js"/>'),
  'script with a prefix': `<x:svg xmlns:x="http://www.w3.org/2000/svg"><x:script>hit()</x:script></x:svg>`,
  'script of HTML': svg('<h:script xmlns:h="http://www.w3.org/1999/xhtml">hit()</h:script>'),
  onload: `<svg xmlns="http://www.w3.org/2000/svg" onload="hit()">${drawing}</svg>`,
  'ONLOAD with entities': svg('<rect onclick="&#104;it()"/>'),
  foreignObject: svg('<foreignObject><body xmlns="http://www.w3.org/1999/xhtml"><img src="x" onerror="hit()"/></body></foreignObject>'),
  'javascript link': svg('<a href="javascript:hit()"><rect width="9" height="9"/></a>'),
  'javascript link with a tab': svg('<a xlink:href="java&#9;script:hit()"><rect width="9" height="9"/></a>'),
  'animated link': svg('<a><animate attributeName="href" to="javascript:hit()"/><rect width="9" height="9"/></a>'),
  'set handler': svg('<set attributeName="onmouseover" to="hit()"/>'),
  'external picture': svg('<image href="https://evil.example/pixel.png"/>'),
  'external use': svg('<use href="https://evil.example/a.svg#b"/>'),
  'data use': svg('<use href="data:image/svg+xml;base64,PHN2Zy8+#x"/>'),
  'external filter': svg('<filter id="f"><feImage href="//evil.example/a.png"/></filter>'),
  'external fill': svg('<rect fill="url(https://evil.example/a.svg#b)"/>'),
  'external cursor': svg(`<rect width="90" height="60" cursor="image-set('https://evil.example/a.png' 1x), auto"/>`),
  'external mask': svg(`<rect width="90" height="60" mask="-webkit-image-set('https://evil.example/a.svg#b' 1x)"/>`),
  ...Object.fromEntries(
    ['fill', 'stroke', 'mask', 'filter', 'clip-path', 'marker-end', 'cursor'].map((name) => [
      `escape in ${name}`,
      svg(`<path d="M0 0h90v60z" stroke-width="3" ${name}="u\\72l(https://evil.example/a.svg#b)${name === 'cursor' ? ', auto' : ''}"/>`),
    ]),
  ),
  'animated fill': svg('<rect width="90" height="60"><set attributeName="mask" to="u\\72l(https://evil.example/a.svg#b)"/></rect>'),
  'animated values': svg('<rect width="90" height="60"><animate attributeName="mask" values="url(#a;url(https://evil.example/a.svg#b)" dur="9s"/></rect>'),
  'animated link of another prefix': svg(
    '<image xmlns:x="http://www.w3.org/1999/xlink" width="9" height="9"><set attributeName="x:href" to="https://evil.example/a.png"/></image>',
  ),
  'style import': svg('<style>@import "https://evil.example/a.css";</style>'),
  'style address': svg('<style>rect{fill:url("https://evil.example/a.svg#b")}</style>'),
  'style escape': svg('<style>rect{fill:u\\72l(https://evil.example/a)}</style>'),
  'style entity': svg('<style>&#64;import "https://evil.example/a.css";</style>'),
  'style behind a comment': svg('<style>/* url(# */ rect{mask:url(https://evil.example/a.svg#b)}</style>'),
  'style behind a text': svg(`<rect width="9" height="9" style="font-family:'url(#';mask:url(https://evil.example/a.svg#b)"/>`),
  'style attribute': svg('<rect style="background:image-set(\'https://evil.example/a.png\' 1x)"/>'),
  'style font': svg('<style>@font-face{font-family:x;src:url(https://evil.example/a.woff)}</style>'),
  entities: `<!DOCTYPE svg [<!ENTITY a "hit()">]>${svg('')}`,
  'billion laughs': `<!DOCTYPE svg [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;">]>${svg('<text>&b;</text>')}`,
  stylesheet: `<?xml-stylesheet href="https://evil.example/a.xsl"?>${svg('')}`,
  'xml:base': `<svg xmlns="http://www.w3.org/2000/svg" xml:base="https://evil.example/">${drawing}</svg>`,
  'another charset': `<?xml version="1.0" encoding="ISO-8859-1"?>${svg('')}`,
  'comment that HTML ends': svg('<!--> <img src="x" onerror="hit()"/> -->'),
  'inert without prefix': svg('<g xmlns="http://ns.adobe.com/x"><script>hit()</script></g>'),
  'title with HTML': svg('<title><![CDATA[</title><img src=x onerror=hit()>]]></title>'),
  iframe: svg('<iframe xmlns="http://www.w3.org/1999/xhtml" src="https://evil.example"/>'),
}
