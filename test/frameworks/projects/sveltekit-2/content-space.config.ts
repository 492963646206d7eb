import { defineConfig } from 'unplugin-content-space'

export default defineConfig({ kits: { brand: 'solvane-brand' } })
