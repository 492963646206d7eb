import { families, svg } from './svg-hostile.js'

export { svg }

const dot = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg=='

/** Drawings without active content, as drawing programs write them. */
export const harmless: Record<string, string> = {
  plain: svg(''),
  prolog: `<?xml version="1.0" encoding="UTF-8" standalone="no"?>\n<!-- Drawn -->\n<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd">\n${svg('')}`,
  style: svg('<style>.a{fill:url(#g)} @media (prefers-color-scheme: dark){.a{fill:#fff}}</style>'),
  'style as CDATA': svg('<style><![CDATA[.a > .b{fill:red}]]></style>'),
  gradient: svg(
    '<defs><linearGradient id="after"><stop offset="0"/></linearGradient></defs><path fill="url(#after)" d="M0 0h9v9z"/>',
  ),
  use: svg('<use xlink:href="#ground" x="3"/><use href="#ground"/>'),
  picture: svg('<image href="data:image/png;base64,iVBORw0KGgo=" width="3"/>'),
  animation: svg('<animate href="#ground" attributeName="x" from="0" to="9" dur="1s" begin="ground.click"/>'),
  'names in attributes': svg(
    `<text font-family="'Open Sans', &quot;A (b)&quot;" data-name="C:\\a" aria-label="src(a) \\ image(b)">a \\ url(https://example.org)</text>` +
      `<title>image-set(a)</title><desc>u\\72l(b)</desc><rect mask="url( '#m' )" fill="url(#g) none" transform="rotate(3)"/>`,
  ),
  'animated references': svg(
    `<animate attributeName="fill" values="url(#g);url('#h')" from="url(#g)" dur="1s" begin="a\\-b.click"/>`,
  ),
  'glyph of a backslash': svg('<font><glyph unicode="\\" glyph-name="backslash"/><hkern u1="\\" g2="a" k="1"/></font>'),
  inkscape: `<svg xmlns="http://www.w3.org/2000/svg" xmlns:sodipodi="http://sodipodi.sourceforge.net/DTD/sodipodi-0.dtd" sodipodi:docname="a.svg"><sodipodi:namedview pagecolor="#fff"/></svg>`,
  'XLink of another prefix': `<svg xmlns="http://www.w3.org/2000/svg" xmlns:l="http://www.w3.org/1999/xlink" width="90" height="60"><defs><path id="p" d="M0 0h50v50z"/></defs><use l:href="#p"/></svg>`,
  illustrator: `<?xml version="1.0" encoding="utf-8"?>
<!-- Generator: Adobe Illustrator 24.0.1, SVG Export Plug-In . SVG Version: 6.00 Build 0)  -->
<svg version="1.1" id="Ebene_1" xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" x="0px" y="0px"
\t viewBox="0 0 90 60" style="enable-background:new 0 0 90 60;" xml:space="preserve">
<style type="text/css">
\t.st0{fill-rule:evenodd;clip-rule:evenodd;fill:#E30613;}
\t.st1{clip-path:url(#SVGID_2_);}
</style>
<g><defs><rect id="SVGID_1_" width="80" height="50"/></defs><clipPath id="SVGID_2_"><use xlink:href="#SVGID_1_"  style="overflow:visible;"/></clipPath>
<g class="st1"><path class="st0" d="M10,10c5.5,0,10-4.5,10-10h40v60H10V10z"/></g></g></svg>
`,
  'inkscape with its metadata': `<?xml version="1.0" encoding="UTF-8" standalone="no"?>
<svg xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:cc="http://creativecommons.org/ns#"
   xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:svg="http://www.w3.org/2000/svg" xmlns="http://www.w3.org/2000/svg"
   xmlns:sodipodi="http://sodipodi.sourceforge.net/DTD/sodipodi-0.dtd" xmlns:inkscape="http://www.inkscape.org/namespaces/inkscape"
   width="90" height="60" viewBox="0 0 90 60" version="1.1" inkscape:version="1.0 (4035a4fb49, 2020-05-01)" sodipodi:docname="a.svg">
  <metadata><rdf:RDF><cc:Work rdf:about=""><dc:format>image/svg+xml</dc:format>
    <dc:type rdf:resource="http://purl.org/dc/dcmitype/StillImage" /><dc:title></dc:title></cc:Work></rdf:RDF></metadata>
  <sodipodi:namedview id="base" pagecolor="#ffffff" inkscape:zoom="0.35" inkscape:pageopacity="0.0"
     inkscape:current-layer="layer1"><inkscape:grid type="xygrid" id="grid1" /></sodipodi:namedview>
  <defs id="defs2"><inkscape:path-effect effect="spiro" id="path-effect1" /><radialGradient id="rg" gradientUnits="userSpaceOnUse"
     cx="45" cy="30" r="30" gradientTransform="matrix(1,0,0,0.5,0,15)"><stop style="stop-color:#ff0000" offset="0" /><stop
     style="stop-color:#0000ff;stop-opacity:1" offset="1" /></radialGradient></defs>
  <g inkscape:label="Layer 1" inkscape:groupmode="layer" id="layer1" transform="translate(0,-1)">
    <path style="fill:url(#rg);stroke:#000;-inkscape-font-specification:'sans, Normal'" d="m 1,1 h 80 v 50 z"
       sodipodi:nodetypes="cccc" inkscape:connector-curvature="0" /></g>
</svg>`,
  figma: `<svg width="90" height="60" viewBox="0 0 90 60" fill="none" xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink">
<g clip-path="url(#clip0_1_2)" filter="url(#filter0_d_1_2)"><rect width="90" height="60" fill="url(#pattern0)" style="mix-blend-mode:multiply"/>
<mask id="m" style="mask-type:luminance" maskUnits="userSpaceOnUse" x="0" y="0" width="9" height="9"><path d="M0 0h9v9z" fill="#fff"/></mask></g>
<defs><pattern id="pattern0" patternContentUnits="objectBoundingBox" width="1" height="1"><use xlink:href="#image0" transform="scale(0.1)"/></pattern>
<filter id="filter0_d_1_2" x="0" y="0" width="90" height="60" filterUnits="userSpaceOnUse" color-interpolation-filters="sRGB">
<feFlood flood-opacity="0" result="BackgroundImageFix"/><feOffset dy="4"/><feGaussianBlur stdDeviation="2"/>
<feBlend mode="normal" in2="BackgroundImageFix" result="shape"/></filter>
<clipPath id="clip0_1_2"><rect width="90" height="60" fill="white" rx="4"/></clipPath>
<image id="image0" width="10" height="10" xlink:href="data:image/png;base64,${dot}"/></defs></svg>
`,
  sketch: `<?xml version="1.0" encoding="UTF-8"?>
<svg width="90px" height="60px" viewBox="0 0 90 60" version="1.1" xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink">
    <!-- Generator: Sketch 52.6 (67491) - http://www.bohemiancoding.com/sketch -->
    <title>Artboard</title><desc>Created with Sketch.</desc>
    <g id="Page-1" stroke="none" stroke-width="1" fill="none" fill-rule="evenodd"><polygon id="Path" fill="#00F" points="0 0 90 0 45 60"></polygon>
    <text font-family="sans-serif" fill="#000" xml:space="preserve"><tspan x="3" y="30">A &amp; B &lt; C &#8211; \u00a9</tspan></text></g>
</svg>`,
}

/**
 * Drawings that are harmless as a file, but render differently or are unsafe inside HTML. Rewriting them doesn't change
 * how they render.
 */
export const untidy: Record<string, string | Buffer> = {
  'entities of Illustrator': `<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd" [
\t<!ENTITY ns_extend "http://ns.adobe.com/Extensibility/1.0/">
\t<!ENTITY ns_ai "http://ns.adobe.com/AdobeIllustrator/10.0/">
\t<!ENTITY ns_svg "http://www.w3.org/2000/svg">
\t<!ENTITY ns_xlink "http://www.w3.org/1999/xlink">
\t<!ENTITY st0 "fill:#00A651;stroke:#000000;">
]>
<svg xmlns:x="&ns_extend;" xmlns:i="&ns_ai;" xmlns="&ns_svg;" xmlns:xlink="&ns_xlink;" width="90" height="60" i:pageBounds="0 60 90 0">
<switch><foreignObject requiredExtensions="&ns_ai;" x="0" y="0" width="1" height="1"><i:pgfRef xlink:href="#adobe_illustrator_pgf"></i:pgfRef>
</foreignObject><g i:extraneous="self"><rect style="&st0;" x="9" y="9" width="60" height="40"/></g></switch>
<i:pgf id="adobe_illustrator_pgf">eJzsvWuPXceRIPhdgP7D3Q8C7B1d6eS7</i:pgf></svg>`,
  'prefix of SVG': `<svg:svg xmlns:svg="http://www.w3.org/2000/svg" width="90" height="60"><svg:circle cx="30" cy="30" r="20" fill="blue"/></svg:svg>`,
  'links elsewhere': svg('<a xlink:href="https://example.org/"><circle cx="30" cy="30" r="20" fill="blue"/></a>'),
  'instruction of another program': `<?xpacket begin="a"?>${svg('<path d="M9 9h30v30z"/>')}`,
  'Latin-1': Buffer.from(
    `<?xml version="1.0" encoding="ISO-8859-1"?>${svg('<text y="30">\u00e4\u00f6\u00fc</text>')}`,
    'latin1',
  ),
  'CDATA in a text': svg('<text y="30"><![CDATA[a < b & c]]></text>'),
  'font with a size': svg('<font size="3"><glyph unicode="a"/></font><path d="M9 9h30v30z"/>'),
  'namespace of a program': svg(
    '<g xmlns:v="http://schemas.microsoft.com/visio/2003/SVGExtensions/" v:mID="0"><v:userDefs/><path d="M9 9h30v30z"/></g>',
  ),
}

/** Drawings that look hostile but are inactive in both XML and HTML. They remain unchanged. */
export const puzzling: Record<string, string> = {
  'UTF-7': svg('<text>+ADw-script+AD4-hit()+ADw-/script+AD4-</text>'),
  'a script in a comment': svg('<!-- <script>hit()</script> <img src="x" onerror="hit()"> -->'),
  'tags that are spelled': svg('<text>&lt;img src=x onerror=hit()&gt;</text>'),
  'tags that are spelled in a label': svg('<g aria-label="&lt;/title&gt;&lt;img src=x onerror=hit()&gt;"/>'),
  'names of handlers as values': svg('<g class="onclick=hit()" id="onload"/>'),
  'an address as text': svg('<text>https://evil.example/a.png</text>'),
}

/** All hostile drawings, by the name of their family and their own name. */
export const hostile: Record<string, Buffer> = Object.fromEntries(
  Object.entries(families).flatMap(([family, drawings]) =>
    Object.entries(drawings).map(([name, drawing]) => [`${family}: ${name}`, Buffer.from(drawing)]),
  ),
)

const repeated = (start: string, count: number, end = '') => svg(start.repeat(count) + end.repeat(count))

/** Drawings that take much time or memory, depending on the number of their parts. */
export const heavy: Record<string, (count: number) => string> = {
  'nested groups': (count) => repeated('<g>', count, '</g>'),
  'nested groups that declare a namespace': (count) => repeated('<g xmlns:a="a" a:a="">', count, '</g>'),
  'nested groups that are not closed': (count) => repeated('<g>', count),
  'nested HTML': (count) => repeated('<desc><b><p><svg>', count),
  'flat paths': (count) => repeated('<path d="M0 0h9v9z"/>', count),
  'attributes of one element': (count) =>
    svg(`<g ${Array.from({ length: count }, (_, at) => `a${at}=""`).join(' ')}/>`),
  'attributes of as many': (count) => svg(Array.from({ length: count }, (_, at) => `<g a${at}=""/>`).join('')),
  'a huge style': (count) => svg(`<style>${'.a{fill:red}'.repeat(count)}</style>`),
  'a style of many classes': (count) =>
    svg(`<style>${Array.from({ length: count }, (_, at) => `.a${at} g{fill:red}`).join('')}</style>`),
  'a style that nests': (count) => svg(`<style>a{b:${'('.repeat(count)}}</style>`),
  'a style that is not closed': (count) => svg(`<style>${'url( /*'.repeat(count)}</style>`),
  'spaces in an address': (count) =>
    svg(`<rect fill="url(${' '.repeat(count)}"/><image href="${' '.repeat(count)}x"/>`),
  comments: (count) => repeated('<!-- a -->', count),
  'a long comment': (count) => svg(`<!--${' - -'.repeat(count)}-->`),
  'a long path': (count) => svg(`<path d="M0 0${'l9 9'.repeat(count)}"/>`),
  'a long prolog': (count) => `<!--${' '.repeat(count * 9)}-->${svg('')}`,
  'errors before the start': (count) => '&\x01'.repeat(count) + svg(''),
  'errors within': (count) => repeated('&\x01</b>', count),
  references: (count) => svg(`<text>${'&#60;'.repeat(count)}</text>`),
  'a large picture': (count) => svg(`<image href="data:image/png;base64,${'AAAA'.repeat(count * 20)}"/>`),
  'scripts by the thousand': (count) => repeated('<script/>', count),
  'animated attributes': (count) => repeated('<set attributeName="fill" to="url(#a)"/>', count),
  'links to each other': (count) =>
    svg(Array.from({ length: count }, (_, at) => `<use id="u${at}" href="#u${at + 1}"/>`).join('')),
}
