import { withContentSpace } from '../frameworks/next/with-content-space.js'

export { withContentSpace, withContentSpace as default, withContentSpace as 'module.exports' }
