import { createElement } from 'react'
import mark from 'content-space:asset/brand/solvane-mark'

/** Shows the brand above each story. @param {import('react').ComponentType} Story */
function withBrand(Story) {
  return createElement('div', {}, createElement('img', { alt: mark.name, src: mark.src }), createElement(Story))
}

export default { decorators: [withBrand] }
