import { tanstackStart } from '@tanstack/react-start/plugin/vite'
import react from '@vitejs/plugin-react'
import contentSpace from 'unplugin-content-space/vite'
import { defineConfig } from 'vite'

export default defineConfig({
  base: '/shop/',
  plugins: [tanstackStart(), react(), contentSpace()],
})
