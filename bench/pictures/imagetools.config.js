import process from 'node:process'
import { imagetools } from 'vite-imagetools'

export default {
  build: { rolldownOptions: { input: 'main.js' }, assetsInlineLimit: 0 },
  plugins: [imagetools({ cache: { dir: process.env.IMAGETOOLS_CACHE } })],
}
