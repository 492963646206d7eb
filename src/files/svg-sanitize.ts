import createDOMPurify from 'dompurify'
import { JSDOM } from 'jsdom'
import { attributeAllowed, elements, styleAllowed } from './svg-rules.js'

/** Known to DOMPurify as dangerous in general; the rules of attributes make them harmless. */
const added = [...elements].filter((name) => name !== 'svg')

/** An attribute without a namespace. */
const plain = (name: string) => ({ name, local: name, namespace: '' })

/**
 * An SVG without anything active. Read as HTML, as browsers read it once it is inlined, and written as XML.
 * @returns undefined where no drawing is left
 */
export function sanitizeSvg(text: string): string | undefined {
  const { window } = new JSDOM('')
  const purify = createDOMPurify(window)
  purify.addHook('uponSanitizeElement', (node) => {
    if (!(node instanceof window.Element)) return
    const target = node.getAttribute('attributeName')
    const harmless = target === null || attributeAllowed(plain('attributeName'), target)
    const isStyle = node.localName === 'style'
    if (!harmless || (isStyle && !styleAllowed(node.textContent ?? ''))) node.parentNode?.removeChild(node)
  })
  purify.addHook('uponSanitizeAttribute', (node, event) => {
    const { attrName } = event
    const attribute = node.getAttributeNode(attrName)
    const parts = attribute ? { name: attribute.name, local: attribute.localName, namespace: attribute.namespaceURI ?? '' } : plain(attrName)
    // The serializer declares what it needs.
    const declaration = /^xmlns(:|$)/.test(parts.name)
    event.forceKeepAttr = !declaration && attributeAllowed(parts, event.attrValue)
    event.keepAttr = event.forceKeepAttr
  })
  const body = purify.sanitize(text, {
    USE_PROFILES: { svg: true, svgFilters: true },
    ADD_TAGS: added,
    // Ids are prefixed where they could shadow properties of a document.
    SANITIZE_DOM: false,
    KEEP_CONTENT: false,
    RETURN_DOM: true,
  })
  const root = [...body.childNodes].find(({ nodeName }) => nodeName === 'svg')
  const result = root && new window.XMLSerializer().serializeToString(root)
  window.close()
  return result
}

