const { default: icons } = require('content-space:section/brand/icons?as=metadata')
const leaf = require('content-space:asset/brand/leaf?raw')

console.log(icons.items.length, leaf.default.slice(0, 4))
