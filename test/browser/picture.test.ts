import { readFile, symlink } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Browser } from 'playwright-core'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import contentSpace from 'unplugin-content-space/vite'
import { build, preview } from 'vite'
import { picture } from '../../src/entries/picture.js'
import { createProject } from '../bundlers/driver.js'
import { kits, openTestSpace } from '../bundlers/space.js'
import { launch } from './chromium.js'

const placeholder = `data:image/svg+xml,${encodeURIComponent('<svg xmlns="http://www.w3.org/2000/svg" width="8" height="8"><path fill="red" d="M0 0h8v8H0z"/></svg>')}`
const logo = { name: 'Logo', src: '/logo.png', width: 40, height: 40, placeholder }
/** Takes the hash from the documentation, as users do. */
const [hash = ''] =
  /'sha256-[^']+'/.exec(await readFile(new URL('../../docs/pictures.md', import.meta.url), 'utf8')) ?? []

let browser: Browser
let server: Server
let origin = ''
let policy = ''
let page = ''
/** Functions that answer the requests for the picture. */
const requests: (() => void)[] = []

beforeAll(async () => {
  browser = await launch()
  const transparent = { r: 0, g: 0, b: 0, alpha: 0 }
  const png = await sharp({ create: { width: 40, height: 40, channels: 4, background: transparent } })
    .png()
    .toBuffer()
  server = createServer((request, response) => {
    if (request.url === '/logo.png') {
      requests.push(() => void response.writeHead(200, { 'content-type': 'image/png' }).end(png))
    } else {
      response.writeHead(200, { 'content-type': 'text/html', 'content-security-policy': policy }).end(page)
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  origin = typeof address === 'object' ? `http://127.0.0.1:${address?.port}` : ''
})
afterAll(async () => {
  await browser.close()
  server.close()
})

/** Returns the color at the center of the picture before and after it arrives, and the messages on the console. */
async function look(markup: string, csp = '') {
  page = `<!doctype html><link rel="icon" href="data:,"><body style="margin:0">${markup}`
  policy = csp
  requests.length = 0
  const context = await browser.newContext()
  const tab = await context.newPage()
  const messages: string[] = []
  tab.on('console', (message) => void messages.push(message.text()))
  const color = async () => {
    const shot = await tab.screenshot({ clip: { x: 10, y: 10, width: 10, height: 10 } })
    return sharp(shot)
      .removeAlpha()
      .resize(1, 1)
      .raw()
      .toBuffer()
      .then((bytes) => [...bytes].join(' '))
  }
  await tab.goto(origin, { waitUntil: 'commit' })
  await expect.poll(() => requests).toHaveLength(1)
  const before = await color()
  requests[0]?.()
  await tab.waitForFunction(() => document.querySelector('img')?.complete)
  const after = await color()
  await context.close()
  return { before, after, messages }
}

const [red, white] = ['255 0 0', '255 255 255']

describe('the placeholder of a transparent picture', () => {
  test('is visible until the picture has loaded, and is then removed', async () => {
    expect(await look(picture(logo))).toEqual({ before: red, after: white, messages: [] })
  })

  test('is removed under a Content Security Policy that allows the handler by its hash', async () => {
    const csp = `script-src 'self' 'unsafe-hashes' ${hash}`
    expect(await look(picture(logo), csp)).toEqual({ before: red, after: white, messages: [] })
  })

  test('stays under a policy that does not, and without the handler', async () => {
    expect(await look(picture(logo), "script-src 'self'")).toMatchObject({ before: red, after: red })
    expect(await look(picture(logo, { onload: undefined }), "script-src 'self'")).toEqual({
      before: red,
      after: red,
      messages: [],
    })
  })
})

/**
 * Pictures of 900 by 600 pixels in a body that is 400 pixels wide, and the sizes that an application's styles give
 * them.
 */
const layouts = {
  'a picture': { props: {}, size: [400, 267] },
  'a picture with a size of its own': { props: { height: 300 }, size: [900, 300] },
  'a class in a layer': { props: { class: 'tall' }, size: [400, 120] },
  'an element': { props: { 'data-content': 'card' }, size: [200, 133] },
  'a style': { props: { style: { maxWidth: 'none', 'max-width': 'none' } }, size: [900, 600] },
}

const made = `[${Object.values(layouts)
  .map(({ props }) => `h(Hero, ${JSON.stringify({ alt: '', width: 900, ...props })})`)
  .join()}]`

const renders: Record<string, { packages: string; render: string }> = {
  react: {
    packages: `import { createElement } from 'react'
      import { createRoot } from 'react-dom/client'`,
    render: `const h = (type, { class: className, ...props }) => createElement(type, { className, key: JSON.stringify(props), ...props })
      createRoot(document.body).render(${made})`,
  },
  preact: { packages: `import { h, render } from 'preact'`, render: `render(${made}, document.body)` },
  vue: {
    packages: `import { createApp, h } from 'vue'`,
    render: `createApp({ render: () => ${made} }).mount(document.body)`,
  },
  solid: {
    packages: `import { createComponent as h } from 'solid-js'
      import { render } from 'solid-js/web'`,
    render: `render(() => ${made}, document.body)`,
  },
}

describe.each(Object.entries(renders))('pictures of %s', (framework, { packages, render }) => {
  test('stay in their containers, and obey the rules of the application', async () => {
    const space = await openTestSpace()
    const project = await createProject({
      'index.html': `<!doctype html><link rel="icon" href="data:,"><body><script type="module" src="/main.js"></script>`,
      'style.css': `@layer base, utilities;
        body { margin: 0; width: 400px }
        img { display: block }
        [data-content=card] { max-width: 50% }
        @layer utilities { .tall { height: 120px } }`,
      'main.js': `${packages}
        import Hero from 'content-space:asset/${kits.brand}/hero-photo?w=20;30&format=webp;png&as=${framework}'
        import './style.css'
        ${render}`,
    })
    const packagesFolder = fileURLToPath(new URL('../../node_modules', import.meta.url))
    await symlink(packagesFolder, join(project.root, 'node_modules'), 'junction')
    const settings = { root: project.root, configFile: false, logLevel: 'error' } as const
    try {
      await build({ ...settings, plugins: [contentSpace(space.options())] })
      const site = await preview({ ...settings, preview: { port: 0, host: '127.0.0.1' } })
      const tab = await browser.newPage({ viewport: { width: 400, height: 800 } })
      await tab.goto(site.resolvedUrls?.local[0] ?? '', { waitUntil: 'networkidle' })
      const sizes = await tab.evaluate(() =>
        [...document.querySelectorAll('img')].map(({ clientWidth, clientHeight }) => [clientWidth, clientHeight]),
      )
      await tab.close()
      await site.close()
      expect(sizes).toEqual(Object.values(layouts).map(({ size }) => size))
    } finally {
      await Promise.all([project.remove(), space.close()])
    }
  })
})
