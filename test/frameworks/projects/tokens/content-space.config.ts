import { defineConfig } from 'unplugin-content-space'

export default defineConfig({
  kits: { brand: { kit: 'solvane-brand', version: 'draft' } },
  tokens: [
    { kit: 'brand', file: 'src/tokens.css' },
    { kit: 'brand', file: 'src/theme.css', format: 'tailwind' },
    { kit: 'brand', file: 'src/_brand.scss', fonts: 'src/fonts' },
    { kit: 'brand', file: 'src/brand.tokens.json' },
    { kit: 'brand', file: 'src/tokens.ts' },
  ],
})
