import { join } from 'node:path'
import { parse, type DefaultTreeAdapterTypes } from 'parse5'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { emittedAssets, readContent, type Content } from './support/content.js'
import { crawl } from './support/crawl.js'
import { closeBrowser, look, openPage } from './support/look.js'
import { openProject, type FrameworkProject } from './support/project.js'

let project: FrameworkProject
let content: Content

beforeAll(async () => {
  project = await openProject('markup-vite')
  content = await readContent(project.space)
})

afterAll(async () => {
  await closeBrowser()
  await project?.close()
})

test('sync locks what style sheets and pages use, and verify accepts it', async () => {
  await project.run('content-space', 'sync')
  const lock = await project.read('content-space.lock.json')
  for (const name of ['solvane-mark', 'solvane-mark-mono', 'solvane-logo', 'coast-at-dawn', 'pines-in-mist'])
    expect(lock).toMatch(new RegExp(`"${name}".*sha256-`))
  await project.run('content-space', 'verify')
})

test('verify names an id of a style sheet that the kit does not contain', async () => {
  await project.edit('src/style.css', 'brand/solvane-logo', 'brand/solvane-loga')
  await expect(project.run('content-space', 'verify')).rejects.toThrow(
    /src\/style\.css:8[^]*There is no asset[^]*solvane-logo\b/,
  )
  await project.edit('src/style.css', 'brand/solvane-loga', 'brand/solvane-logo')
})

test('the dev server serves the files of a page and its style sheets', async () => {
  const { url } = await project.serve((port) => ['vite', '--host', '127.0.0.1', '--port', `${port}`], '/shop/')
  const head = await expectPage(url)
  expect(head['og:image']?.size).toEqual([1200, 630])
})

test('a build contains a favicon set, a social card and the files of style sheets', async () => {
  await project.run('vite', 'build')
  expect(await emittedAssets(join(project.root, 'dist'), content)).toEqual([
    'coast-at-dawn',
    'pines-in-mist',
    'solvane-logo',
    'solvane-mark',
    'solvane-mark-mono',
  ])
  const { url } = await project.serve(
    (port) => ['vite', 'preview', '--host', '127.0.0.1', '--port', `${port}`],
    '/shop/',
  )
  const head = await expectPage(url)
  expect(head['og:image']?.address).toMatch(/^https:\/\/www\.solvane\.example\/shop\/assets\/solvane-mark-.*\.png$/)
  const { files, problems } = await crawl([url], content)
  expect(problems).toEqual([])
  // The social card's URL has another host.
  expect(files).toHaveLength(9)
  expect(files.filter((file) => !file.startsWith('/shop/assets/'))).toEqual([])
})

/**
 * Checks a page.
 * @returns the pictures in its head, by the name or relation that refers to them
 */
async function expectPage(url: string): Promise<Awaited<ReturnType<typeof picturesOfHead>>> {
  const { pictures, problems } = await look(url)
  expect(problems).toEqual([])
  expect(pictures.map(({ alt, width }) => [alt, width])).toEqual([['The coast at dawn', 400]])
  expect(pictures[0]?.src).toMatch(/coast-at-dawn.*\.webp$/)
  expect(await backgroundsOf(url, ['.logo', '.banner', '[data-content=card]'])).toEqual([
    expect.stringMatching(/solvane-logo.*\.svg 636×160$/),
    expect.stringMatching(/pines-in-mist.*\.webp 400×\d+$/),
    expect.stringMatching(/solvane-mark-mono.*\.svg 120×120$/),
  ])
  const head = await picturesOfHead(url)
  expect(Object.entries(head).map(([name, { type, size }]) => [name, type, ...size])).toEqual([
    ['icon', 'svg', 120, 120],
    ['icon 32x32', 'png', 32, 32],
    ['apple-touch-icon', 'png', 180, 180],
    ['og:image', 'png', 1200, 630],
  ])
  return head
}

/** Returns the URL and the decoded size of each element's background. */
async function backgroundsOf(url: string, selectors: readonly string[]): Promise<string[]> {
  const page = await openPage()
  try {
    await page.goto(url, { waitUntil: 'networkidle' })
    return await page.evaluate(
      (all) =>
        Promise.all(
          all.map(async (selector) => {
            const element = document.querySelector(selector)
            const { backgroundImage } = getComputedStyle(element ?? document.body)
            const image = new Image()
            image.src = /url\("([^"]+)"\)/.exec(backgroundImage)?.[1] ?? ''
            await image.decode()
            return `${image.src} ${image.naturalWidth}×${image.naturalHeight}`
          }),
        ),
      selectors,
    )
  } finally {
    await page.close()
  }
}

interface HeadPicture {
  address: string
  type: string
  /** The width and height in pixels. */
  size: [number, number]
}

async function picturesOfHead(url: string): Promise<Record<string, HeadPicture>> {
  const addresses: [name: string, address: string][] = []
  const visit = (node: DefaultTreeAdapterTypes.Node): void => {
    const attributes = Object.fromEntries('attrs' in node ? node.attrs.map(({ name, value }) => [name, value]) : [])
    const { rel = '', sizes, href, property, content: social } = attributes
    if (rel.endsWith('icon') && href !== undefined) addresses.push([sizes ? `${rel} ${sizes}` : rel, href])
    if (property === 'og:image' && social !== undefined) addresses.push([property, social])
    if ('childNodes' in node) node.childNodes.forEach(visit)
  }
  visit(parse(await (await fetch(url)).text()))
  const pictures = addresses.map(async ([name, address]): Promise<[string, HeadPicture]> => {
    const response = await fetch(new URL(new URL(address, url).pathname, url))
    expect(response.status).toBe(200)
    const { format, width, height } = await sharp(await response.arrayBuffer()).metadata()
    return [name, { address, type: format, size: [width, height] }]
  })
  return Object.fromEntries(await Promise.all(pictures))
}
