import contentSpace from 'unplugin-content-space/rolldown'

export default {
  entry: 'src/index.ts',
  format: ['esm', 'cjs'],
  platform: 'neutral',
  dts: true,
  plugins: [contentSpace()],
}
