const assets = []

// Like React Native, registers pictures so that `require` of a file returns a number.
exports.registerAsset = (asset) => assets.push(asset)
globalThis.assets = assets
