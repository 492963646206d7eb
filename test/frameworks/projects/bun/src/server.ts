import { existsSync } from 'node:fs'
import { solvaneLogo } from 'content-space:kit/brand'
import icons from 'content-space:section/brand/icons?as=metadata'
import page from '../index.html'

// When Bun runs this file, URLs of content files are file: URLs.
const logo = Bun.file(new URL(solvaneLogo.src))

Bun.serve({
  port: process.env.PORT,
  hostname: '127.0.0.1',
  routes: {
    '/': page,
    '/icons': Response.json(icons.items.length),
    '/logo.svg': async () => new Response(await logo.bytes(), { headers: { 'Content-Type': logo.type } }),
    '/shop/*': async (request) => {
      const path = new URL(request.url).pathname.slice('/shop/'.length) || 'index.html'
      const file = `dist/${path}`
      return existsSync(file) ? new Response(Bun.file(file)) : new Response('', { status: 404 })
    },
  },
})
