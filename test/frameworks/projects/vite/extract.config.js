import { vanillaExtractPlugin } from '@vanilla-extract/vite-plugin'
import contentSpace from 'unplugin-content-space/vite'

const unstable_pluginFilter = ({ name }) => name.startsWith('content-space')

export default {
  build: { outDir: 'dist-extract', rolldownOptions: { input: 'src/box.css.ts' } },
  plugins: [vanillaExtractPlugin({ unstable_pluginFilter }), contentSpace()],
}
