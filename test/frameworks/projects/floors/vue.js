import { Badge } from 'content-space:kit/brand?as=vue'
import { createSSRApp, h } from 'vue'
import { renderToString } from 'vue/server-renderer'

console.log(await renderToString(createSSRApp({ render: () => h(Badge, { title: 'The best' }) })))
