import { defineConfig } from '@terrazzo/cli'
import css from '@terrazzo/plugin-css'

export default defineConfig({
  tokens: ['./src/brand.tokens.json'],
  outDir: './build/',
  plugins: [css({ filename: 'terrazzo.css' })],
})
