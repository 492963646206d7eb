import { pluginContentSpace } from 'unplugin-content-space/rsbuild'

export default {
  lib: [{ format: 'esm', dts: true }, { format: 'cjs' }],
  output: { target: 'web' },
  plugins: [pluginContentSpace()],
}
