import { register } from '../frameworks/register/node.js'

await register()
