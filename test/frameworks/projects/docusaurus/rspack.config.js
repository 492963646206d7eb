import config from './docusaurus.config.js'

// As `create-docusaurus` writes it: the bundler is Rspack.
export default { ...config, future: { v4: true, faster: true } }
