import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { solvaneLogo } from 'content-space:kit/brand'
import coast from 'content-space:asset/brand/coast-at-dawn?w=640&format=webp'

const files: Record<string, { src: string; type: string }> = {
  '/solvane-logo.svg': { src: solvaneLogo.src, type: 'image/svg+xml' },
  '/coast-at-dawn.webp': { src: coast.src, type: 'image/webp' },
}
const page = `<!doctype html><link rel="icon" href="data:,">
  <img alt="${solvaneLogo.name}" src="/solvane-logo.svg"> <img alt="${coast.name}" src="/coast-at-dawn.webp">`

createServer(async ({ url = '/' }, response) => {
  const file = files[url]
  response.setHeader('Content-Type', file?.type ?? 'text/html')
  response.end(file ? await readFile(new URL(file.src)) : page)
}).listen(Number(process.env['PORT']), '127.0.0.1')
