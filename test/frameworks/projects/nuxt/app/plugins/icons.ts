export default defineNuxtPlugin(() => {
  useHead({
    link: [
      { rel: 'icon', href: '/shop/favicon.ico', sizes: '32x32' },
      { rel: 'icon', href: '/shop/icon.svg', type: 'image/svg+xml' },
      { rel: 'apple-touch-icon', href: '/shop/apple-touch-icon.png' },
      { rel: 'manifest', href: '/shop/manifest.webmanifest' },
    ],
  })
})
