import contentSpace from 'unplugin-content-space/vite'

export default {
  plugins: [contentSpace()],
}
