import { fileURLToPath } from 'node:url'
import contentSpace from 'unplugin-content-space/vite'
import { defineConfig } from 'vite'

/** The kit of the sample on the first page. */
const sample = contentSpace({
  space: fileURLToPath(new URL('../../playground/space', import.meta.url)),
  kits: { brand: 'solvane-brand' },
  lockfile: false,
  types: false,
  // Other pages show ids as text.
  scan: ['index.md'],
  darkMode: '.dark',
})

const home = fileURLToPath(new URL('theme/home.ts', import.meta.url))

export default defineConfig({
  plugins: [sample],
  resolve: { alias: [{ find: /^.*\/VPHome\.vue$/, replacement: home }] },
})
