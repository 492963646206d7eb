export { nuxtModule as default } from '../frameworks/nuxt/module.js'
