// For configuration loaders that translate ES modules to CommonJS and therefore fail at `import.meta`.
module.exports = require('./docusaurus.js')
