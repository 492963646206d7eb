import { defineConfig } from 'unplugin-content-space'

export default defineConfig({
  space: './space',
  kits: { brand: 'solvane-brand' },
  presets: {
    hero: 'w=640;1280&format=avif;webp;jpg&placeholder=blur',
    gallery: 'w=480;960&format=webp;jpg&placeholder=color',
  },
})
