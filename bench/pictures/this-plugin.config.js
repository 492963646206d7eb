import contentSpace from 'unplugin-content-space/vite'

export default {
  build: { rolldownOptions: { input: 'main.js' }, assetsInlineLimit: 0 },
  plugins: [contentSpace({ types: false })],
}
