export default {
  source: ['src/*.tokens.json'],
  platforms: {
    css: {
      transformGroup: 'css',
      buildPath: 'build/',
      files: [{ destination: 'style-dictionary.css', format: 'css/variables' }],
    },
  },
}
