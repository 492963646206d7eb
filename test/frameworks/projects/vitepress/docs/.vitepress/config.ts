import contentSpace from 'unplugin-content-space/vite'
import { defineConfig } from 'vitepress'

export default defineConfig({
  base: '/shop/',
  vite: { plugins: [contentSpace()] },
})
