/** What an SVG may contain: no code, and no references to other files. */

export const svgNamespace = 'http://www.w3.org/2000/svg'
export const xlinkNamespace = 'http://www.w3.org/1999/xlink'
export const xmlNamespace = 'http://www.w3.org/XML/1998/namespace'

/** Allowed elements of the SVG namespace. Others, such as script, foreignObject and future ones, are rejected. */
export const elements: ReadonlySet<string> = new Set(
  `
  svg g defs symbol use switch a view title desc metadata style
  path rect circle ellipse line polyline polygon text tspan tref textPath image marker
  linearGradient radialGradient meshgradient meshrow meshpatch solidcolor stop
  pattern hatch hatchpath clipPath mask filter
  feBlend feColorMatrix feComponentTransfer feComposite feConvolveMatrix feDiffuseLighting feDisplacementMap
  feDistantLight feDropShadow feFlood feFuncA feFuncB feFuncG feFuncR feGaussianBlur feImage feMerge feMergeNode
  feMorphology feOffset
  fePointLight feSpecularLighting feSpotLight feTile feTurbulence
  animate animateColor animateMotion animateTransform mpath set discard
  altGlyph altGlyphDef altGlyphItem glyph glyphRef missing-glyph font font-face font-face-name font-face-src hkern vkern
`
    .trim()
    .split(/\s+/),
)

/** Namespaces in which drawing programs store data for themselves. Browsers ignore it. */
const inertNamespaces = [
  'http://sodipodi.sourceforge.net/',
  'http://www.inkscape.org/namespaces/',
  'http://www.w3.org/1999/02/22-rdf-syntax-ns#',
  'http://creativecommons.org/ns#',
  'http://web.resource.org/cc/',
  'http://purl.org/dc/',
  'http://www.bohemiancoding.com/sketch/',
  'http://ns.adobe.com/',
  'http://www.serif.com/',
  'https://boxy-svg.com',
  'http://www.figma.com/figma/ns',
]

const isInert = (namespace: string) => inertNamespaces.some((start) => namespace.startsWith(start))

/** Whether HTML parses the content of an SVG element as HTML. */
export function isIntegrationPoint(local: string): boolean {
  return /^(title|desc|foreignObject)$/i.test(local)
}

export interface Name {
  /** As written, with prefix. */
  name: string
  local: string
  /** Empty for none. */
  namespace: string
}

/** An inert element needs a prefix. Without one, it would be an element of HTML when the text is inlined. */
export function elementAllowed({ name, local, namespace }: Name): boolean {
  return namespace === svgNamespace ? elements.has(local) : name.includes(':') && isInert(namespace)
}

/** Attributes that an animation must not change. A file can choose any prefix for XLink. */
const notAnimated = /^([^:]*:)?(on|src|(href|style|id|ping|attributionsrc)$)/i

/** Attributes that send requests in HTML. Of these, SVG has only `ping`. */
const requests = /^(ping|attributionsrc|srcset|srcdoc|imagesrcset|action|formaction|poster|lowsrc|dynsrc)$/i

/** A value without these characters needs no further check: most are numbers, names and paths. */
const suspicious = /[(\\@:<]/

/**
 * Names, labels and times, in which a backslash has no meaning. CSS may parse any other attribute, now or in a future
 * browser.
 */
const plainTexts = /^(id|class|lang|name|title|label|content|begin|end|unicode|glyph-name|[gu][12]|(aria|data)-.*)$/i

/** Allows all attributes without a namespace except event handlers, which all begin with `on`, and requests. */
export function attributeAllowed({ name, local, namespace }: Name, value: string): boolean {
  if (name === 'xmlns' || name.startsWith('xmlns:')) return true
  if (isInert(namespace)) return true
  if (namespace === xmlNamespace) return local === 'space' || local === 'lang' || local === 'id'
  if (namespace !== '' && namespace !== xlinkNamespace) return false
  if (/^on/i.test(local) || !/^[a-z][\w.-]*$/i.test(local) || requests.test(local)) return false
  if (/^(href|src)$/i.test(local)) return isLocal(value)
  if (/^attributeName$/i.test(local)) return !notAnimated.test(value.trim())
  if (!suspicious.test(value)) return true
  if (/(java|vb)script:/i.test(value.replaceAll(/[\s\0]/g, ''))) return false
  return plainTexts.test(local) ? referencesLocal(value) : styleAllowed(value)
}

/** Whether an address is a part of the same file, or a raster picture as a data URI. */
function isLocal(address: string): boolean {
  const start = /^\s*(#|$|data:image\/(png|jpe?g|gif|webp|avif);base64,)/i.exec(address)?.[0]
  if (start === undefined) return false
  // A pattern for the whole data URI would need memory for each of its characters.
  return !start.endsWith(',') || !/[^\w+/=\s]/.test(address.slice(start.length))
}

/** Checks each `url(`, even one inside another, because the outer one may be in a comment, or end at a semicolon. */
function referencesLocal(value: string): boolean {
  return !/url\s*\((?!\s*(\)|(["']\s*)?(#|data:image\/(png|jpe?g|gif|webp|avif);base64,)))/i.test(value)
}

/** Escapes, which could hide the rest; rules and functions that load something; scripts; and markup. */
const forbiddenInCss = [
  /\\/,
  /@(import|namespace|charset|document)/i,
  /(image-set|image|src|cross-fade|element|expression|paint)\s*\(/i,
  /-moz-binding|behavior\s*:|(java|vb)script:/i,
  /<[/!a-z]/i,
]

export function styleAllowed(css: string): boolean {
  return !forbiddenInCss.some((pattern) => pattern.test(css)) && referencesLocal(css)
}
