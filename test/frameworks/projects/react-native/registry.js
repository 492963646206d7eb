const assets = []

// As React Native keeps pictures: `require` of a file is a number.
exports.registerAsset = (asset) => assets.push(asset)
globalThis.assets = assets
