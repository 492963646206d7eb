import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import sirv from 'sirv'
import { createServer as createVite } from 'vite'

const isDev = process.argv.includes('--dev')
const vite = isDev ? await createVite({ server: { middlewareMode: true }, appType: 'custom' }) : undefined
const files = vite?.middlewares ?? sirv('dist/client')

/** Returns the page with the server's markup. */
async function page(url) {
  const template = await readFile(vite ? 'index.html' : 'dist/client/index.html', 'utf8')
  const html = vite ? await vite.transformIndexHtml(url, template) : template
  const { render } = vite ? await vite.ssrLoadModule('/src/server.tsx') : await import('./dist/server/server.js')
  const { head, body } = render()
  return html.replace('<!--head-->', () => head).replace('<!--page-->', () => body)
}

createServer((request, response) => {
  if (request.url === '/shop/') {
    const send = (html) => response.setHeader('Content-Type', 'text/html').end(html)
    page(request.url).then(send, (error) => response.writeHead(500).end(String(error)))
    return
  }
  if (!vite) request.url = request.url.replace('/shop/', '/')
  files(request, response, () => response.writeHead(404).end())
}).listen(Number(process.env.PORT), '127.0.0.1')
