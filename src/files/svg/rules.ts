/** What an SVG may hold and still be a drawing: nothing that runs, and nothing that is loaded from elsewhere. */

export const svgNamespace = 'http://www.w3.org/2000/svg'
export const xlinkNamespace = 'http://www.w3.org/1999/xlink'
export const xmlNamespace = 'http://www.w3.org/XML/1998/namespace'

/** Elements of the SVG namespace. Not among them: script, foreignObject, handler, iframe and whatever comes next. */
export const elements: ReadonlySet<string> = new Set(
  `
  svg g defs symbol use switch a view title desc metadata style
  path rect circle ellipse line polyline polygon text tspan tref textPath image marker
  linearGradient radialGradient meshgradient meshrow meshpatch solidcolor stop pattern hatch hatchpath clipPath mask filter
  feBlend feColorMatrix feComponentTransfer feComposite feConvolveMatrix feDiffuseLighting feDisplacementMap feDistantLight
  feDropShadow feFlood feFuncA feFuncB feFuncG feFuncR feGaussianBlur feImage feMerge feMergeNode feMorphology feOffset
  fePointLight feSpecularLighting feSpotLight feTile feTurbulence
  animate animateColor animateMotion animateTransform mpath set discard
  altGlyph altGlyphDef altGlyphItem glyph glyphRef missing-glyph font font-face font-face-name font-face-src hkern vkern
`
    .trim()
    .split(/\s+/),
)

/** What drawing programs leave behind for themselves. Browsers do nothing with it. */
const inert = [
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

const isInert = (namespace: string) => inert.some((start) => namespace.startsWith(start))

/** Elements of SVG whose content HTML reads as its own. */
export function isIntegrationPoint(local: string): boolean {
  return /^(title|desc|foreignObject)$/i.test(local)
}

export interface Name {
  /** As written, prefix included. */
  name: string
  local: string
  /** '' for none. */
  namespace: string
}

/** Without its prefix, an inert element would be one of HTML's when the text is inlined. */
export function elementAllowed({ name, local, namespace }: Name): boolean {
  return namespace === svgNamespace ? elements.has(local) : name.includes(':') && isInert(namespace)
}

/** Attributes that an animation must not reach. The prefix of XLink is the file's to choose. */
const reserved = /^([^:]*:)?(on|src|(href|style|id|ping|attributionsrc)$)/i

/** Attributes that send requests. SVG has none of them but `ping`; as an attribute of HTML each loads or reports. */
const requests = /^(ping|attributionsrc|srcset|srcdoc|imagesrcset|action|formaction|poster|lowsrc|dynsrc)$/i

/** Most values are numbers, names and paths, in which none of the tests below finds anything. */
const suspicious = /[(\\@:<]/

/** Names, labels and times, where a backslash is one. CSS may read any other attribute, now or in a browser to come. */
const texts = /^(id|class|lang|name|title|label|content|begin|end|unicode|glyph-name|[gu][12]|(aria|data)-.*)$/i

/** Attributes without a namespace: all but event handlers, whose names are `on…` without exception. */
export function attributeAllowed({ name, local, namespace }: Name, value: string): boolean {
  if (name === 'xmlns' || name.startsWith('xmlns:')) return true
  if (isInert(namespace)) return true
  if (namespace === xmlNamespace) return local === 'space' || local === 'lang' || local === 'id'
  if (namespace !== '' && namespace !== xlinkNamespace) return false
  if (/^on/i.test(local) || !/^[a-z][\w.-]*$/i.test(local) || requests.test(local)) return false
  if (/^(href|src)$/i.test(local)) return isLocal(value)
  if (/^attributeName$/i.test(local)) return !reserved.test(value.trim())
  if (!suspicious.test(value)) return true
  if (/(java|vb)script:/i.test(value.replaceAll(/[\s\0]/g, ''))) return false
  return texts.test(local) ? referencesLocal(value) : styleAllowed(value)
}

/** A part of the same file, or a picture inside it. */
function isLocal(address: string): boolean {
  const start = /^\s*(#|$|data:image\/(png|jpe?g|gif|webp|avif);base64,)/i.exec(address)?.[0]
  if (start === undefined) return false
  // No pattern that could match a picture as a whole: it would need memory for each character.
  return !start.endsWith(',') || !/[^\w+/=\s]/.test(address.slice(start.length))
}

/**
 * Looks at each `url(`, even within the address of another: the first may stand in a comment, or end at a semicolon.
 */
function referencesLocal(value: string): boolean {
  return !/url\s*\((?!\s*(\)|(["']\s*)?(#|data:image\/(png|jpe?g|gif|webp|avif);base64,)))/i.test(value)
}

/** Escapes could hide a name; these functions and rules load things. */
export function styleAllowed(css: string): boolean {
  const loads =
    /\\|@(import|namespace|charset|document)|(image-set|image|src|cross-fade|element|expression|paint)\s*\(|-moz-binding|behavior\s*:|(java|vb)script:|<[/!a-z]/i
  return !loads.test(css) && referencesLocal(css)
}
