export default {
  title: 'Shop',
  url: 'https://shop.example',
  baseUrl: '/shop/',
  themes: ['@docusaurus/theme-classic'],
  plugins: ['@docusaurus/plugin-content-pages', 'unplugin-content-space/docusaurus'],
}
