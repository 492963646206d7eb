// For loaders of configurations that translate ES modules to CommonJS, and fail at `import.meta`.
module.exports = require('./webpack.js')
