import contentSpace from 'unplugin-content-space/vite'
import { defineConfig } from 'vite'

export default defineConfig({ base: '/shop/', plugins: [contentSpace()] })
