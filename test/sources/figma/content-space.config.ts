import { defineConfig } from 'unplugin-content-space'
import { figma } from './figma.js'

export default defineConfig({
  kits: { ui: { source: figma('k3XyDesign', process.env['FIGMA_TOKEN'], process.env['FIGMA_API']) } },
})
