import { contentSpaceDocusaurus } from '../frameworks/docusaurus.js'

export { contentSpaceDocusaurus as default, contentSpaceDocusaurus as 'module.exports' }
