import { withBase } from 'vitepress'
import DefaultTheme from 'vitepress/theme'
import { h, type App, type FunctionalComponent } from 'vue'
import { showTypes } from './hovers.js'
import './style.css'

/** Shows a page of the site that is not made of Markdown, such as the demo, in its place. */
const Live: FunctionalComponent<{ path: string; title: string }> = ({ path, title }) =>
  h('div', { class: 'live' }, [
    h('iframe', { src: withBase(`/${path}`), title, loading: 'lazy' }),
    h('a', { href: withBase(`/${path}`), target: '_self' }, `Open ${title.toLowerCase()}`),
  ])

export default {
  extends: DefaultTheme,
  enhanceApp({ app }: { app: App }) {
    app.component('Live', Object.assign(Live, { props: ['path', 'title'] }))
    if (typeof document !== 'undefined') showTypes()
  },
}
