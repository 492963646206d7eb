import { defineConfig } from 'unplugin-content-space'

export default defineConfig({
  space: './space',
  kits: { brand: 'solvane-brand' },
})
