import { pluginContentSpace } from 'unplugin-content-space/rsbuild'

export default {
  lib: [{ format: 'esm', source: { entry: { later: './src/later.ts' } }, output: { distPath: 'later' } }],
  output: { target: 'web' },
  plugins: [pluginContentSpace()],
}
