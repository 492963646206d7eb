/** Defines what an SVG may contain: no code and no references to other files. */

import { isBase64, isDrawingAddress } from './embedded.js'

export const svgNamespace = 'http://www.w3.org/2000/svg'
export const xlinkNamespace = 'http://www.w3.org/1999/xlink'
export const xmlNamespace = 'http://www.w3.org/XML/1998/namespace'

const words = (text: string): string[] => text.trim().split(/\s+/)

/**
 * Allowed elements of the SVG namespace. All others are rejected, such as script, foreignObject, and future elements.
 */
export const elements: ReadonlySet<string> = new Set(
  words(`
  svg g defs symbol use switch a view title desc metadata style
  path rect circle ellipse line polyline polygon text tspan tref textPath image marker
  linearGradient radialGradient meshgradient meshrow meshpatch solidcolor stop
  pattern hatch hatchpath clipPath mask filter
  feBlend feColorMatrix feComponentTransfer feComposite feConvolveMatrix feDiffuseLighting feDisplacementMap
  feDistantLight feDropShadow feFlood feFuncA feFuncB feFuncG feFuncR feGaussianBlur feImage feMerge feMergeNode
  feMorphology feOffset
  fePointLight feSpecularLighting feSpotLight feTile feTurbulence
  animate animateColor animateMotion animateTransform mpath set discard
  altGlyph altGlyphDef altGlyphItem color-profile cursor glyph glyphRef missing-glyph font font-face font-face-format
  font-face-name font-face-src font-face-uri hkern vkern
`),
)

/** Drawing programs store their own data in these namespaces. Browsers ignore it. */
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

/** Checks whether HTML parses the content of an SVG element as HTML. */
export function isIntegrationPoint(local: string): boolean {
  return /^(title|desc|foreignObject)$/i.test(local)
}

export interface Name {
  /** The name as written, including its prefix. */
  name: string
  local: string
  /** An empty string if the name doesn't have a namespace. */
  namespace: string
  /** For an attribute of an SVG element: the element's local name. */
  element?: string
}

/**
 * Allows SVG elements and, in files, elements of drawing programs. These need a prefix, because without one they would
 * become HTML elements if the text is inlined.
 */
export function elementAllowed({ name, local, namespace }: Name, use: SvgTarget): boolean {
  if (namespace === svgNamespace) return elements.has(local)
  return use === 'file' && name.includes(':') && isInert(namespace)
}

/**
 * How an SVG is used: as a separate file, or inlined in a page. Some libraries run code that they find in a page's
 * attributes, so attributes of drawing programs are allowed only in files.
 */
export type SvgTarget = 'file' | 'page'

/** Presentation attributes: CSS properties that can also be written as attributes. */
export const presentation = words(`
  alignment-baseline baseline-shift clip clip-path clip-rule color color-interpolation color-interpolation-filters
  color-profile color-rendering cursor d direction display dominant-baseline enable-background fill fill-opacity
  fill-rule filter flood-color flood-opacity font font-family font-feature-settings font-kerning font-size
  font-size-adjust font-stretch font-style font-variant font-variant-caps font-variant-ligatures font-variant-numeric
  font-variation-settings font-weight glyph-orientation-horizontal glyph-orientation-vertical image-rendering
  isolation kerning letter-spacing lighting-color line-height marker marker-end marker-mid marker-start mask mask-type
  mix-blend-mode opacity overflow paint-order pointer-events shape-rendering solid-color solid-opacity stop-color
  stop-opacity stroke stroke-dasharray stroke-dashoffset stroke-linecap stroke-linejoin stroke-miterlimit
  stroke-opacity stroke-width text-align text-anchor text-decoration text-overflow text-rendering transform
  transform-origin unicode-bidi vector-effect visibility white-space word-spacing writing-mode
`)

/** The attributes of SVG 1.1 and 2 in lower case, except those for scripts, requests, focus, and RDF metadata. */
const attributes: ReadonlySet<string> = new Set([
  ...presentation,
  ...words(`
  accent-height accumulate additive alphabetic amplitude arabic-form ascent attributename attributetype azimuth
  basefrequency baseprofile bbox begin bias by calcmode cap-height class clippathunits contentscripttype
  contentstyletype cx cy descent diffuseconstant divisor dur dx dy edgemode elevation end exponent
  externalresourcesrequired filterres filterunits focusable format fr from fx fy format g1 g2 glyph-name glyphref
  gradienttransform gradientunits hanging height horiz-adv-x horiz-origin-x horiz-origin-y href hreflang id
  ideographic in in2 intercept k k1 k2 k3 k4 kernelmatrix kernelunitlength keypoints keysplines keytimes lang
  lengthadjust limitingconeangle local markerheight markerunits markerwidth maskcontentunits maskunits mathematical
  max media method min mode name numoctaves offset operator order orient orientation origin overline-position
  overline-thickness panose-1 path path-length pathlength patterncontentunits patterntransform patternunits
  playbackorder points
  pointsatx pointsaty pointsatz preservealpha preserveaspectratio primitiveunits r radius refx refy rendering-intent
  repeatcount repeatdur requiredextensions requiredfeatures requiredfonts requiredformats restart result role rotate
  rx ry scale seed side slope spacing specularconstant specularexponent spreadmethod startoffset stddeviation stemh
  stemv stitchtiles strikethrough-position strikethrough-thickness string style surfacescale systemlanguage
  tablevalues target targetx targety textlength timelinebegin title to transformbehavior type u1 u2
  underline-position underline-thickness unicode unicode-range units-per-em v-alphabetic v-hanging v-ideographic
  v-mathematical values version vert-adv-y vert-origin-x vert-origin-y viewbox viewtarget width widths x x-height x1
  x2 xchannelselector y y1 y2 ychannelselector z zoomandpan`),
])

/** Attributes without a namespace in which drawing programs store their own data. */
const ofPrograms = /^(?:data-[\w.-]+|content|host)$/i

const notAnimated = /^(?:class|href|id|style|target)$/i

/** A value without these characters doesn't need further checks. Most values are numbers, names, and paths. */
const suspicious = /[(\\@:<]/

/**
 * Attributes for names, labels, and times, in which a backslash has no special meaning. Browsers may parse any other
 * attribute as CSS, now or in the future.
 */
const plainTexts = /^(id|class|lang|name|title|label|content|begin|end|unicode|glyph-name|[gu][12]|(aria|data)-.*)$/i

/** Allows the attributes of SVG, ARIA, and XLink. */
export function attributeAllowed({ name, local, namespace, element }: Name, value: string, use: SvgTarget): boolean {
  if (name === 'xmlns' || /^xmlns:[\w.-]+$/.test(name)) return true
  if (isInert(namespace)) return use === 'file'
  if (namespace === xmlNamespace) return local === 'space' || local === 'lang' || local === 'id'
  if (namespace === xlinkNamespace) {
    if (!/^(?:href|title|type|role|arcrole|show|actuate)$/i.test(local)) return false
  } else if (namespace !== '' || !isKnown(local, use)) return false
  if (isReference(local)) return isLocalAddress(value) || (showsPictures.test(element ?? '') && isDrawingAddress(value))
  if (/^attributeName$/i.test(local)) return isAnimated(value.trim())
  return valueAllowed(local, value)
}

/** Allows all attributes except event handlers on elements of drawing programs, because HTML ignores these elements. */
export function programAttributeAllowed({ name, local }: Name, value: string): boolean {
  if (name === 'xmlns' || name.startsWith('xmlns:')) return true
  return !/^on/i.test(local) && valueAllowed(local, value)
}

function isKnown(name: string, use: SvgTarget): boolean {
  if (attributes.has(name.toLowerCase()) || /^aria-[a-z]+$/i.test(name)) return true
  return use === 'file' && ofPrograms.test(name)
}

/**
 * Checks whether an animation may change an attribute. Rejects names with a prefix, because a file can choose any
 * prefix for XLink.
 */
function isAnimated(name: string): boolean {
  return !notAnimated.test(name) && attributes.has(name.toLowerCase())
}

function valueAllowed(local: string, value: string): boolean {
  if (!suspicious.test(value)) return true
  if (/(java|vb)script:/i.test(value.replaceAll(/[\s\0]/g, ''))) return false
  return plainTexts.test(local) ? referencesLocal(value) : styleAllowed(value)
}

export function isReference(local: string): boolean {
  return /^href$/i.test(local)
}

/** Elements that render another SVG as an image, in which scripts don't run and nothing is loaded. */
export const showsPictures = /^(?:image|feImage)$/

/** Checks whether a URL refers to the same file or is a raster image as a data URI. */
export function isLocalAddress(address: string): boolean {
  const start = /^\s*(#|$|data:image\/(png|jpe?g|gif|webp|avif|bmp);base64,)/i.exec(address)?.[0]
  if (start === undefined) return false
  // We don't match the whole data URI with one pattern, because that would need memory for each character.
  return !start.endsWith(',') || isBase64(address.slice(start.length))
}

/** Checks each `url(`, even inside another one, because the outer one may be in a comment or end at a semicolon. */
function referencesLocal(value: string): boolean {
  return !/url\s*\((?!\s*(\)|(["']\s*)?(#|data:(image\/(png|jpe?g|gif|webp|avif|bmp)|font\/[a-z\d]+);base64,)))/i.test(
    value,
  )
}

/** CSS rules and functions that load resources, scripts, and markup. */
const forbiddenInCss = [
  /@(import|namespace|charset|document)/i,
  /(image-set|image|src|cross-fade|element|expression|paint)\s*\(/i,
  /-moz-binding|behavior\s*:|(java|vb)script:/i,
  /<[/!a-z]/i,
]

/**
 * Checks a string both as written and with its escapes decoded, because an escape such as `u\72l(` could hide a URL.
 */
export function styleAllowed(css: string): boolean {
  const texts = css.includes('\\') ? [css, css.replaceAll(escapes, unescaped)] : [css]
  return texts.every((text) => !forbiddenInCss.some((pattern) => pattern.test(text)) && referencesLocal(text))
}

/** https://www.w3.org/TR/css-syntax-3/#consume-escaped-code-point */
const escapes = /\\(?:([\da-f]{1,6})(?:\r\n|[ \t\n\r\f])?|\r\n|([^]))/gi

function unescaped(_: string, code: string | undefined, character = ''): string {
  if (code === undefined) return /[\n\r\f]/.test(character) ? '' : character
  const point = Number.parseInt(code, 16)
  return point > 0x10_ffff ? '\ufffd' : String.fromCodePoint(point)
}
