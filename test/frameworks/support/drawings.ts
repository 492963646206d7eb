import { createHash } from 'node:crypto'
import { copyFile, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Locator, Page } from 'playwright-core'
import { expect } from 'vitest'
import { collectProblems, openPage } from './look.js'

/** A drawing with its own gradient, clip path, style sheet, and title. */
const badge = fileURLToPath(new URL('../components/badge.svg', import.meta.url))

/** Adds the badge to the version in use of the playground's kit. */
export function addBadge(space: string): Promise<void> {
  return copyFile(badge, join(space, 'solvane/versions/1/03 Icons/03 Interface/badge.svg'))
}

/**
 * Checks a page that renders the badge twice in `#server`, and again in `#client` when its scripts run. Expects the
 * same pictures from the server without scripts, after hydration, from the scripts alone, and from the file.
 * @param options.isStatic whether the page doesn't load the framework's scripts: it has neither `#client` nor handlers
 */
export async function expectDrawings(url: string, { isStatic = false, ignore = [] as RegExp[] } = {}): Promise<void> {
  const page = await openPage()
  try {
    const file = await drawnFile(page)
    const html = await (await fetch(url)).text()
    expect(html).toContain('url(&quot;data:image/')
    await page.setContent(html.replace(/<script[\s>][^]*?<\/script>/g, ''))
    const server = await drawn(page, '#server')
    expect(server).toEqual([file, file])

    const problems = collectProblems(page, { warnings: true })
    await page.goto(url, { waitUntil: 'networkidle' })
    if (!isStatic) await page.waitForSelector('#client')
    expect(await drawn(page, '#server')).toEqual(server)
    if (!isStatic) expect(await drawn(page, '#client')).toEqual(server)
    expect(await page.evaluate(repeatedIds)).toEqual([])
    await expectPicture(page)
    if (!isStatic) await expectHandlers(page)
    // The second badge doesn't use the first one's gradient.
    await page.addStyleTag({ content: '#server svg:first-child { display: none }' })
    expect(await shot(page.locator('#server svg').nth(1))).toBe(file)
    expect(problems.filter((problem) => !ignore.some((pattern) => pattern.test(problem)))).toEqual([])
  } finally {
    await page.close()
  }
  await expectPair(url, 'light', ignore)
  await expectPair(url, 'dark', ignore)
}

/** Returns the name of a picture in the pair from its URL. */
const nameOf = (address: string) => /solvane-logo(?:-reversed)?(?=[^/]*\.png)/.exec(address)?.[0]

/** Collects the names of the pair's pictures that a page requests from now on. */
function collectNames(page: Page): Set<string> {
  const requested = new Set<string>()
  page.on('request', (request) => {
    const name = nameOf(request.url())
    // Astro's toolbar sends its own requests to measure the files of pictures.
    if (name !== undefined && request.resourceType() === 'image') requested.add(name)
  })
  return requested
}

/** Expects the pair's picture and drawing for a color scheme, and a request for this picture only. */
async function expectPair(url: string, scheme: 'light' | 'dark', ignore: RegExp[]): Promise<void> {
  const page = await openPage()
  try {
    const wanted = scheme === 'dark' ? 'solvane-logo-reversed' : 'solvane-logo'
    const requested = collectNames(page)
    const problems = collectProblems(page, { warnings: true })
    await page.emulateMedia({ colorScheme: scheme })
    await page.goto(url, { waitUntil: 'networkidle' })
    const image = page.locator('#server img.pair')
    await image.scrollIntoViewIfNeeded()
    const shown = () =>
      image.evaluate(({ currentSrc, naturalWidth }: HTMLImageElement) => [currentSrc, naturalWidth > 0])
    await expect.poll(shown).toEqual([expect.stringMatching(/\.png/), true])
    expect(nameOf(String((await shown())[0]))).toBe(wanted)
    expect([...requested]).toEqual([wanted])
    const drawings = page.locator('#server svg.pair:visible')
    expect(await drawings.count()).toBe(1)
    expect(await drawings.getAttribute('class')).toContain(`content-space-${scheme}`)
    expect(problems.filter((problem) => !ignore.some((pattern) => pattern.test(problem)))).toEqual([])
  } finally {
    await page.close()
  }
}

/** Expects a pair to follow the class `dark` on the page, and that only visible pictures are requested. */
export async function expectFlip(url: string): Promise<void> {
  const page = await openPage()
  try {
    const requested = collectNames(page)
    await page.goto(url, { waitUntil: 'networkidle' })
    const shown = async () => {
      const addresses = await page
        .locator('img:visible')
        .evaluateAll((images) => images.map((image) => image instanceof HTMLImageElement && image.currentSrc))
      return addresses.map((address) => nameOf(String(address)))
    }
    await expect.poll(shown).toEqual(['solvane-logo'])
    expect([...requested]).toEqual(['solvane-logo'])
    await page.evaluate(() => document.documentElement.classList.add('dark'))
    await expect.poll(() => [...requested]).toEqual(['solvane-logo', 'solvane-logo-reversed'])
    await expect.poll(shown).toEqual(['solvane-logo-reversed'])
  } finally {
    await page.close()
  }
}

/** Returns a screenshot of the badge file. Pictures are compared as texts, which are short in messages. */
async function drawnFile(page: Page): Promise<string> {
  const source = `data:image/svg+xml;base64,${(await readFile(badge)).toString('base64')}`
  await page.setContent(`<img src="${source}" width="64">`)
  return shot(page.locator('img'))
}

/** Returns screenshots of both badges. */
async function drawn(page: Page, place: string): Promise<string[]> {
  const badges = page.locator(`${place} svg`)
  return [await shot(badges.nth(0)), await shot(badges.nth(1))]
}

/**
 * Returns a screenshot of a badge. Moves the badge first, because browsers draw gradients differently at other
 * positions.
 */
async function shot(element: Locator): Promise<string> {
  const before = await element.getAttribute('style')
  await setStyle(element, 'position: fixed; top: 0; left: 0; z-index: 1; background: white')
  const bytes = await element.page().screenshot({ clip: { x: 0, y: 0, width: 64, height: 64 } })
  await setStyle(element, before ?? '')
  return createHash('sha256').update(bytes).digest('hex')
}

function setStyle(element: Locator, style: string): Promise<void> {
  return element.evaluate((target, text) => target.setAttribute('style', text), style)
}

function repeatedIds(): string[] {
  const ids = [...document.querySelectorAll('[id]')].map(({ id }) => id)
  return ids.filter((id, index) => ids.indexOf(id) !== index)
}

/** Expects that the picture loads and its placeholder is removed. */
async function expectPicture(page: Page): Promise<void> {
  const image = page.locator('#server img').first()
  await image.scrollIntoViewIfNeeded()
  await expect.poll(() => image.evaluate(({ style }) => style.backgroundImage)).toBe('')
  const shown = await page.evaluate(() => {
    const { currentSrc = '', width, height, naturalWidth = 0 } = document.querySelector('img') ?? {}
    return { type: currentSrc.replace(/^.*\./, ''), width, height, hasLoaded: naturalWidth > 0 }
  })
  expect(shown).toEqual({ type: 'webp', width: 200, height: 133, hasLoaded: true })
  // The components' style sheet keeps the picture within a narrower container.
  await page.addStyleTag({ content: '#server { width: 90px }' })
  expect(await image.evaluate(({ clientWidth, clientHeight }) => [clientWidth, clientHeight])).toEqual([90, 60])
}

/** Expects that handlers are called and attributes follow changes. */
async function expectHandlers(page: Page): Promise<void> {
  const first = page.locator('#server svg').first()
  await first.click()
  await expect.poll(() => first.getAttribute('width')).toBe('80')
  expect(await first.evaluate((element) => element.querySelector('title')?.textContent)).toBe('The best')
  expect(await first.evaluate((element) => element.querySelectorAll('path').length)).toBe(2)
}
