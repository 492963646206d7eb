const words = (text: string) => text.trim().split(/\s+/)

/**
 * The elements defined by SVG 1.1, SVG 2, SVG Animations, Filter Effects, and CSS Masking, taken from the source files
 * of their indexes.
 */
export const elementNames = words(`
  a altGlyph altGlyphDef altGlyphItem animate animateColor animateMotion animateTransform circle clipPath
  color-profile cursor defs desc discard ellipse feBlend feColorMatrix feComponentTransfer feComposite
  feConvolveMatrix feDiffuseLighting feDisplacementMap feDistantLight feDropShadow feFlood feFuncA feFuncB feFuncG
  feFuncR feGaussianBlur feImage feMerge feMergeNode feMorphology feOffset fePointLight feSpecularLighting
  feSpotLight feTile feTurbulence filter font font-face font-face-format font-face-name font-face-src font-face-uri
  foreignObject g glyph glyphRef hkern image line linearGradient marker mask metadata missing-glyph mpath path
  pattern polygon polyline radialGradient rect script set stop style svg switch symbol text textPath title tref
  tspan use view vkern
`)

/** The attributes defined by these specifications, without ARIA attributes and event handlers. */
export const attributeNames = words(`
  accent-height accumulate additive alignment-baseline alphabetic amplitude arabic-form ascent attributeName
  attributeType autofocus azimuth baseFrequency baseProfile baseline-shift bbox begin bias by calcMode cap-height
  class clip clip-path clip-rule clipPathUnits color color-interpolation color-interpolation-filters color-profile
  color-rendering contentScriptType contentStyleType crossorigin cursor cx cy d descent diffuseConstant direction
  display divisor dominant-baseline download dur dx dy edgeMode elevation enable-background end exponent
  externalResourcesRequired fill fill-opacity fill-rule filter filterRes filterUnits flood-color flood-opacity
  font-family font-size font-size-adjust font-stretch font-style font-variant font-weight format fr from fx fy g1 g2
  glyph-name glyph-orientation-horizontal glyph-orientation-vertical glyphRef gradientTransform gradientUnits
  hanging height horiz-adv-x horiz-origin-x horiz-origin-y href hreflang id ideographic image-rendering in in2
  intercept k k1 k2 k3 k4 kernelMatrix kernelUnitLength kerning keyPoints keySplines keyTimes lang lengthAdjust
  letter-spacing lighting-color limitingConeAngle local marker-end marker-mid marker-start markerHeight markerUnits
  markerWidth mask mask-type maskContentUnits maskUnits mathematical max media method min mode name numOctaves
  offset opacity operator order orient orientation origin overflow overline-position overline-thickness paint-order
  panose-1 path path-length pathLength patternContentUnits patternTransform patternUnits ping playbackorder
  pointer-events points pointsAtX pointsAtY pointsAtZ preserveAlpha preserveAspectRatio primitiveUnits r radius refX
  refY referrerpolicy rel rendering-intent repeatCount repeatDur requiredExtensions requiredFeatures restart result
  role rotate rx ry scale seed shape-rendering side slope spacing specularConstant specularExponent spreadMethod
  startOffset stdDeviation stemh stemv stitchTiles stop-color stop-opacity strikethrough-position
  strikethrough-thickness string stroke stroke-dasharray stroke-dashoffset stroke-linecap stroke-linejoin
  stroke-miterlimit stroke-opacity stroke-width style surfaceScale systemLanguage tabindex tableValues target
  targetX targetY text-anchor text-decoration text-rendering textLength timelinebegin title to transform
  transform-origin type u1 u2 underline-position underline-thickness unicode unicode-bidi unicode-range units-per-em
  v-alphabetic v-hanging v-ideographic v-mathematical values vector-effect version vert-adv-y vert-origin-x
  vert-origin-y viewBox viewTarget visibility width widths word-spacing writing-mode x x-height x1 x2
  xChannelSelector xlink:actuate xlink:arcrole xlink:href xlink:role xlink:show xlink:title xlink:type xml:base
  xml:lang xml:space y y1 y2 yChannelSelector z zoomAndPan
`)
