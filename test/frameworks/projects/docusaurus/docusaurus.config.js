import contentSpace from 'unplugin-content-space/webpack'

export default {
  title: 'Shop',
  url: 'https://shop.example',
  baseUrl: '/shop/',
  themes: ['@docusaurus/theme-classic'],
  plugins: [
    '@docusaurus/plugin-content-pages',
    () => ({ name: 'content-space', configureWebpack: () => ({ plugins: [contentSpace()] }) }),
  ],
}
