import { defineConfig } from 'astro/config'
import contentSpace from 'unplugin-content-space/astro'

export default defineConfig({
  base: '/shop',
  integrations: [contentSpace()],
})
