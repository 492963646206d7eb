import contentSpace from 'unplugin-content-space/vite'

export default {
  base: '/shop/',
  plugins: [contentSpace()],
}
