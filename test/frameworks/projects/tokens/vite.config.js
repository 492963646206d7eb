import tailwindcss from '@tailwindcss/vite'
import contentSpace from 'unplugin-content-space/vite'

export default {
  plugins: [tailwindcss(), contentSpace()],
}
