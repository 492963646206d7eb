import { defineConfig } from 'unplugin-content-space'

export default defineConfig({
  space: './space',
  kits: {
    brand: {
      kit: 'solvane-brand',
      names: { 'sun-9aa35486': 'sunIcon', 'sun-151364a9': 'sunColour' },
      dark: { 'solvane-mark': 'solvane-mark-reversed' },
    },
  },
  presets: {
    hero: 'w=1280;2400&format=webp;jpg&placeholder=blur',
    gallery: 'w=480;960;1920&format=webp;jpg&placeholder=color',
  },
  tokens: [{ kit: 'brand', file: 'tokens.css' }],
})
