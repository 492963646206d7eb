import { readFile } from 'node:fs/promises'
import { createRsbuild, loadConfig } from '@rsbuild/core'
import express from 'express'

/** Serves pages that are rendered on the server: `node server.js <dev|production> <port>`. */
const [mode, text] = process.argv.slice(2)
const port = Number(text)
const app = express()
const page = async (html, { render }) => html.replace('<!--rendered-->', render())

if (mode === 'dev') {
  const { content } = await loadConfig()
  const rsbuild = await createRsbuild({ config: content })
  const server = await rsbuild.createDevServer()
  const { node, web } = server.environments
  app.get('/shop/', async (_, response) => {
    response.send(await page(await web.getTransformedHtml('index'), await node.loadBundle('index')))
  })
  app.use(server.middlewares)
  const listening = app.listen(port, '127.0.0.1', () => server.afterListen())
  server.connectWebSocket({ server: listening })
} else {
  const bundle = await import('./dist/server/index.js')
  app.get('/shop/', async (_, response) => {
    response.send(await page(await readFile('dist/index.html', 'utf8'), bundle.default ?? bundle))
  })
  app.use('/shop', express.static('dist')).listen(port, '127.0.0.1')
}
