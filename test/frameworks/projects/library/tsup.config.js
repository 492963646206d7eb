import contentSpace from 'unplugin-content-space/esbuild'

export default {
  entry: ['src/index.ts'],
  format: ['esm', 'cjs'],
  dts: true,
  clean: true,
  esbuildPlugins: [contentSpace()],
}
