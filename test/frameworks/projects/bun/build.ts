import contentSpace from 'unplugin-content-space/bun'

await Bun.build({
  entrypoints: ['index.html'],
  outdir: 'dist',
  publicPath: '/shop/',
  naming: { asset: 'media/[name]-[hash].[ext]' },
  plugins: [contentSpace()],
})
