import { reactRouter } from '@react-router/dev/vite'
import contentSpace from 'unplugin-content-space/vite'
import { defineConfig } from 'vite'

export default defineConfig({
  base: '/shop/',
  plugins: [reactRouter(), contentSpace()],
})
