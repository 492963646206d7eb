import { defineConfig } from '@rsbuild/core'
import { pluginContentSpace } from 'unplugin-content-space/rsbuild'

export default defineConfig({
  plugins: [pluginContentSpace()],
  server: { base: '/shop' },
  environments: {
    web: { source: { entry: { index: './src/client.ts' } }, html: { template: './index.html' } },
    node: {
      source: { entry: { index: './src/render.ts' } },
      output: { target: 'node', distPath: { root: 'dist/server' }, emitAssets: false },
    },
  },
})
