import { defineConfig } from 'electron-vite'
import contentSpace from 'unplugin-content-space/vite'

export default defineConfig({
  main: { plugins: [contentSpace()] },
  preload: { plugins: [contentSpace()] },
  renderer: { plugins: [contentSpace()] },
})
