export default defineNuxtConfig({
  modules: ['unplugin-content-space/nuxt'],
  app: { baseURL: '/shop/' },
  compatibilityDate: '2026-01-01',
})
