import contentSpace from 'unplugin-content-space/vite'
import dts from 'unplugin-dts/vite'

export default {
  build: { lib: { entry: 'src/index.ts', formats: ['es', 'cjs'], fileName: 'index' } },
  plugins: [contentSpace(), dts()],
}
