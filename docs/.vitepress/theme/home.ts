import { Content } from 'vitepress'
import { VPHomeContent, VPHomeHero } from 'vitepress/theme'
import { h } from 'vue'

/** Replaces the layout of the first page, because the one of VitePress puts the content in no landmark. */
export default () => h('main', { class: 'VPHome' }, [h(VPHomeHero), h(VPHomeContent, null, () => h(Content))])
