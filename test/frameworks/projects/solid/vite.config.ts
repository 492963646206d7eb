import contentSpace from 'unplugin-content-space/vite'
import { defineConfig } from 'vite'
import solid from 'vite-plugin-solid'

export default defineConfig({ base: '/shop/', plugins: [solid({ ssr: true }), contentSpace()] })
