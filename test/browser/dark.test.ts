import { symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Browser, Page } from 'playwright-core'
import { compile } from 'svelte/compiler'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import contentSpace from 'unplugin-content-space/vite'
import { build, preview, type Plugin } from 'vite'
import { codeBlocks } from '../../docs/.vitepress/example.js'
import { createProject, type Project } from '../bundlers/driver.js'
import { readFileSync } from 'node:fs'
import { launch } from './chromium.js'

/** The rules that the documentation gives for a class. */
const rules = codeBlocks(readFileSync(new URL('../../docs/dark.md', import.meta.url), 'utf8')).find(
  ({ file }) => file === 'dark.css',
)?.code

/** Render a picture and a drawing, both with a dark counterpart. */
const renders: Record<string, string> = {
  'picture()': `import { picture } from 'unplugin-content-space/picture'
    document.body.innerHTML = picture(Picture, { darkMode: MODE, alt: '' }) + Drawing`,
  react: `import { createElement as h } from 'react'
    import { createRoot } from 'react-dom/client'
    createRoot(document.body).render([h(Picture, { key: 1, alt: '', className: 'own' }), h(Drawing, { key: 2, className: 'own' })])`,
  preact: `import { h, render } from 'preact'
    render([h(Picture, { alt: '', class: 'own' }), h(Drawing, { class: 'own' })], document.body)`,
  vue: `import { createApp, h } from 'vue'
    createApp({ render: () => [h(Picture, { alt: '', class: 'own' }), h(Drawing, { class: 'own' })] }).mount(document.body)`,
  solid: `import { createComponent as h } from 'solid-js'
    import { render } from 'solid-js/web'
    render(() => [h(Picture, { alt: '', class: 'own' }), h(Drawing, { class: 'own' })], document.body)`,
  svelte: `import { mount } from 'svelte'
    mount(Picture, { target: document.body, props: { alt: '', class: 'own' } })
    mount(Drawing, { target: document.body, props: { class: 'own' } })`,
}

/** Compiles components for browsers, as Svelte's plugin does. */
const svelte: Plugin = {
  name: 'svelte',
  transform(source, filename) {
    return filename.endsWith('.svelte') ? compile(source, { filename, css: 'injected' }).js.code : undefined
  },
}

const drawn = (color: string) =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="40" height="20"><path fill="${color}" d="M0 0h40v20H0z"/></svg>`

let browser: Browser

beforeAll(async () => {
  browser = await launch()
})
afterAll(async () => {
  await browser.close()
})

/** Returns what a page shows: pictures, and drawings by the classes that control them. */
function shown(tab: Page) {
  return tab.evaluate(() => {
    const elements = [...document.querySelectorAll('img, svg')].filter((one) => one.getClientRects().length > 0)
    const pictures = elements.flatMap((one) => (one instanceof HTMLImageElement ? one.currentSrc : []))
    const drawings = elements.filter(({ tagName }) => tagName === 'svg')
    return { pictures: pictures.map((address) => /acme-logo(-dark)?/.exec(address)?.[0]), drawings: drawings.length }
  })
}

async function open(address: string, colorScheme: 'light' | 'dark') {
  const context = await browser.newContext({ colorScheme })
  const tab = await context.newPage()
  const requested: string[] = []
  tab.on('request', (request) => {
    const [name] = /acme-logo(-dark)?(?=[\w-]*\.png)/.exec(request.url()) ?? []
    if (name !== undefined) requested.push(name)
  })
  await tab.goto(address, { waitUntil: 'networkidle' })
  return { tab, requested, close: () => context.close() }
}

async function projectOf(framework: string, mode: string): Promise<Project> {
  const id = `content-space:asset/brand/acme-logo?dark=acme-logo-dark`
  const [picture, drawing] = framework === 'picture()' ? ['picture', 'raw'] : [framework, framework]
  const project = await createProject({
    'index.html': `<!doctype html><link rel="icon" href="data:,"><body><script type="module" src="/main.js"></script>`,
    'space/brand/Logos/acme-logo.svg': drawn('black'),
    'space/brand/Logos/acme-logo-dark.svg': drawn('white'),
    // Components import their own rules.
    'style.css': mode === 'media' || framework !== 'picture()' ? '' : (rules ?? ''),
    'main.js': `import Picture from '${id}&w=30&format=png&as=${picture}'
      import Drawing from '${id}&as=${drawing}'
      import './style.css'
      ${(renders[framework] ?? '').replace('MODE', JSON.stringify(mode))}`,
  })
  const packages = fileURLToPath(new URL('../../node_modules', import.meta.url))
  await symlink(packages, join(project.root, 'node_modules'), 'junction')
  return project
}

async function withSite(made: Promise<Project>, mode: string, look: (address: string) => Promise<void>): Promise<void> {
  const project = await made
  const settings = { root: project.root, configFile: false, logLevel: 'error' } as const
  try {
    const plugins = [
      contentSpace({ space: join(project.root, 'space'), cacheDir: join(project.root, '.cache'), darkMode: mode }),
      svelte,
    ]
    const alias = {
      'unplugin-content-space/picture': fileURLToPath(new URL('../../dist/entries/picture.js', import.meta.url)),
    }
    await build({ ...settings, plugins, resolve: { alias }, build: { assetsInlineLimit: 0 } })
    const site = await preview({ ...settings, preview: { port: 0, host: '127.0.0.1' } })
    await look(site.resolvedUrls?.local[0] ?? '')
    await site.close()
  } finally {
    await project.remove()
  }
}

describe.each(Object.keys(renders))('%s', (framework) => {
  test('shows the picture of the color scheme, with one request', () =>
    withSite(projectOf(framework, 'media'), 'media', async (address) => {
      for (const [scheme, name] of [
        ['light', 'acme-logo'],
        ['dark', 'acme-logo-dark'],
      ] as const) {
        const { tab, requested, close } = await open(address, scheme)
        await expect
          .poll(async () => [await shown(tab), requested])
          .toEqual([{ pictures: [name], drawings: 1 }, [name]])
        await close()
      }
    }))

  test('follows a class of the page', () =>
    withSite(projectOf(framework, '.dark'), '.dark', async (address) => {
      const { tab, requested, close } = await open(address, 'light')
      await expect
        .poll(async () => [await shown(tab), requested])
        .toEqual([{ pictures: ['acme-logo'], drawings: 1 }, ['acme-logo']])
      await tab.evaluate(() => document.documentElement.classList.add('dark'))
      await expect.poll(() => requested).toEqual(['acme-logo', 'acme-logo-dark'])
      await expect.poll(() => shown(tab)).toEqual({ pictures: ['acme-logo-dark'], drawings: 1 })
      await close()
    }))
})

/** Returns the background of a page. */
function background(tab: Page) {
  return tab.evaluate(() => /acme-logo(-dark)?/.exec(getComputedStyle(document.body, '::before').backgroundImage)?.[0])
}

describe('markup', () => {
  const id = 'content-space:asset/brand/acme-logo?dark=acme-logo-dark&format=png'
  const made = (mode: string): Promise<Project> =>
    createProject({
      'index.html': `<!doctype html><link rel="icon" href="data:,"><link rel="stylesheet" href="/style.css">
        <body><img src="${id}&amp;w=30" alt=""></body>`,
      'space/brand/Logos/acme-logo.svg': drawn('black'),
      'space/brand/Logos/acme-logo-dark.svg': drawn('white'),
      'style.css': `body::before { content: ''; display: block; height: 9px; background: url(${id}&w=20) }
        ${mode === 'media' ? '' : rules}`,
    })
  test('shows the pictures of the color scheme, with one request for each', () =>
    withSite(made('media'), 'media', async (address) => {
      for (const [scheme, name] of [
        ['light', 'acme-logo'],
        ['dark', 'acme-logo-dark'],
      ] as const) {
        const { tab, requested, close } = await open(address, scheme)
        await expect
          .poll(async () => [await shown(tab), await background(tab)])
          .toEqual([{ pictures: [name], drawings: 0 }, name])
        await expect.poll(() => requested).toEqual([name, name])
        await close()
      }
    }))

  test('follows a class of the page', () =>
    withSite(made('.dark'), '.dark', async (address) => {
      const { tab, requested, close } = await open(address, 'light')
      await expect
        .poll(async () => [await shown(tab), await background(tab)])
        .toEqual([{ pictures: ['acme-logo'], drawings: 0 }, 'acme-logo'])
      await expect.poll(() => requested).toEqual(['acme-logo', 'acme-logo'])
      await tab.evaluate(() => document.documentElement.classList.add('dark'))
      await expect.poll(() => requested.slice(2)).toEqual(['acme-logo-dark', 'acme-logo-dark'])
      await expect
        .poll(async () => [await shown(tab), await background(tab)])
        .toEqual([{ pictures: ['acme-logo-dark'], drawings: 0 }, 'acme-logo-dark'])
      await close()
    }))
})
