import contentSpace from 'unplugin-content-space/webpack'
import { server, shared } from './shared.js'

export default { ...shared, devServer: server, plugins: [contentSpace()] }
