import { defineConfig } from 'unplugin-content-space'

export default defineConfig({ kits: { icons: { source: './src/icons' } } })
