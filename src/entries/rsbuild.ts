import { pluginContentSpace } from '../frameworks/rsbuild.js'

export { pluginContentSpace, pluginContentSpace as default }
