const { getDefaultConfig } = require('metro-config')

// In an application, React Native's default configuration sets both.
module.exports = (async () => {
  const { transformer, ...config } = await getDefaultConfig(__dirname)
  return {
    ...config,
    transformer: {
      ...transformer,
      assetRegistryPath: require.resolve('./registry.js'),
      getTransformOptions: async () => ({ transform: { experimentalImportSupport: true } }),
    },
  }
})()
