import config from './docusaurus.config.js'

// As written by `create-docusaurus`, with Rspack as the bundler.
export default { ...config, future: { v4: true, faster: true } }
