import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { writeSpace, type SpaceFolder } from '../support/space.js'
import { findingsOf } from './axe.js'
import { launch } from './chromium.js'
import { browse, hostileName, kitFiles, longName, rightToLeft, shortRightToLeft } from './kit-space.js'

const large = 5000
let browser: Browser
let space: SpaceFolder
let server: Awaited<ReturnType<typeof browse>>

beforeAll(async () => {
  browser = await launch()
  space = await writeSpace(kitFiles(large))
  server = await browse(space.folder)
})
afterAll(async () => {
  await browser.close()
  await server.stop()
  await space.remove()
})

interface Opened {
  page: Page
  /** Errors, requests to other hosts, and calls by hostile content. */
  wrong: string[]
  requests: string[]
}

async function open(hash: string, options: BrowserContextOptions = {}): Promise<Opened> {
  const page = await browser.newPage({ viewport: { width: 1280, height: 860 }, ...options })
  const wrong: string[] = []
  const requests: string[] = []
  page.on('pageerror', (error) => void wrong.push(error.message))
  page.on('dialog', () => void wrong.push('dialog'))
  page.on('console', (message) => void (/Content Security/i.test(message.text()) && wrong.push(message.text())))
  page.on('request', (request) => {
    requests.push(request.url())
    if (!/^(?:data|blob):/.test(request.url()) && !request.url().startsWith(server.url)) wrong.push(request.url())
  })
  await page.exposeFunction('hit', () => void wrong.push('hit'))
  await page.goto(server.url + hash)
  await page.waitForSelector('.tile, .kit-card, .notice, .stats, .lead')
  return { page, wrong, requests }
}

/**
 * Measures the processor time in milliseconds that a page's main thread uses, so that other processes don't affect it.
 */
async function openClock(page: Page): Promise<{ used(work: () => Promise<void>): Promise<number> }> {
  const session = await page.context().newCDPSession(page)
  await session.send('Performance.enable', { timeDomain: 'threadTicks' })
  const now = async (): Promise<number> => {
    const { metrics } = await session.send('Performance.getMetrics')
    return 1000 * (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? Number.NaN)
  }
  return {
    async used(work) {
      const before = await now()
      await work()
      return (await now()) - before
    },
  }
}

/** Returns the name of the focused tile. */
const focused = (page: Page) =>
  page.evaluate(() => document.activeElement?.closest('.tile')?.querySelector('.tile-name')?.getAttribute('title'))

describe('the keyboard', () => {
  test('moves through the grid, opens details, goes on in them, and comes back', async () => {
    const { page, wrong } = await open('#/brand')
    await page.keyboard.press('/')
    await page.keyboard.type('logo')
    await page.waitForFunction(() => document.querySelectorAll('.tile').length === 2)
    // The counts by type and by section follow the search.
    expect(await page.locator('.chip .count').allInnerTexts()).toEqual(['2', '0', '0', '0'])
    expect(await page.locator('.side .count').allInnerTexts()).toEqual(['2', '2', '0', '0', '0', '0'])
    await page.keyboard.press('Escape')
    expect(await page.locator('.search input').inputValue()).toBe('')
    await page.keyboard.press('ArrowDown')
    await page.waitForFunction(() => document.activeElement?.matches('.tile'))
    expect(await focused(page)).toBe('Acme Logo')
    await page.keyboard.press('ArrowRight')
    expect(await focused(page)).toBe('White Logo')
    await page.keyboard.press('ArrowDown')
    expect(await focused(page)).toBe('Sun')
    await page.keyboard.press('ArrowLeft')
    await page.keyboard.press('Enter')
    await page.waitForSelector('.detail[open]')
    expect(await page.locator('.detail-name').innerText()).toBe('Coral')
    expect(new URL(page.url()).hash).toBe('#/brand/asset/coral')
    await page.keyboard.press('ArrowRight')
    await page.waitForFunction(() => document.querySelector('.detail-name')?.textContent === 'Sun')
    await page.keyboard.press('Escape')
    await page.waitForFunction(() => !document.querySelector('.detail') && document.activeElement?.matches('.tile'))
    expect(await focused(page)).toBe('Sun')
    expect(wrong).toEqual([])
    await page.close()
  })

  test('shows an asset and its partner on their grounds', async () => {
    const { page, wrong } = await open('#/brand/asset/acme-logo')
    await page.locator('.detail-dark img.is-shown').waitFor()
    const grounds = await page
      .locator('.detail .picture')
      .evaluateAll((pictures) => pictures.map(({ className }) => /ground-\w+/.exec(className)?.[0]))
    expect(grounds).toEqual(['ground-light', 'ground-dark'])
    expect(await page.locator('.detail-dark').innerText()).toBe('On dark backgrounds: White Logo')
    await page.keyboard.press('ArrowRight')
    await page.waitForFunction(() => document.querySelector('.detail-name')?.textContent === 'White Logo')
    expect(await page.locator('.detail-dark').count()).toBe(0)
    expect(wrong).toEqual([])
    await page.close()
  })

  test('copies an import, and lists the keys', async () => {
    const { page } = await open('#/brand/asset/acme-logo', { permissions: ['clipboard-read', 'clipboard-write'] })
    await page.keyboard.press('c')
    const copied = "import { acmeLogo } from 'content-space:kit/brand'"
    await page.locator('.toast', { hasText: copied }).waitFor()
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(copied)
    await page.keyboard.press('?')
    expect(await page.locator('.keys[open] kbd').count()).toBeGreaterThan(8)
    await page.keyboard.press('Escape')
    await page.waitForFunction(() => !document.querySelector('.keys'))
    expect(await page.locator('.detail[open]').count()).toBe(1)
    await page.close()
  })
})

describe(`${large} assets`, () => {
  test('are searched within 50 ms', async () => {
    const { page } = await open('#/library')
    const clock = await openClock(page)
    const search = (text: string) =>
      page.evaluate(async (value) => {
        const input = document.querySelector<HTMLInputElement>('.search input')
        if (!input) throw new Error('There is no search.')
        input.value = value
        input.dispatchEvent(new InputEvent('input', { bubbles: true }))
        // The page renders in a microtask. The time includes layout.
        await Promise.resolve()
        await new Promise((resolve) => setTimeout(resolve))
        document.body.getBoundingClientRect()
      }, text)
    const texts = [
      'm',
      'mo',
      'mountain',
      'mountain d',
      'moutain',
      '0042',
      'kite lamp',
      'campaign spring product',
      'photogrpher europe approved',
      'type:svg',
      '#e5603f',
      'xyz',
      'a',
      '',
    ]
    for (const text of texts) {
      const times: number[] = []
      // Code is compiled in the first round.
      for (let round = 0; round < 3; round++) {
        await search('another text')
        times.push(await clock.used(() => search(text)))
      }
      expect(Math.min(...times), `“${text}”`).toBeLessThan(50)
    }
    await page.close()
  })

  test('scroll without a long stall, and request only visible pictures', async () => {
    const { page, requests, wrong } = await open('#/library')
    const clock = await openClock(page)
    const steps = 240
    let [tiles, blank] = [0, 0]
    const used = await clock.used(async () => {
      ;[tiles, blank] = await page.evaluate(async (count) => {
        let [most, empty] = [0, 0]
        for (let step = 0; step < count; step++) {
          scrollBy(0, 400)
          await new Promise(requestAnimationFrame)
          most = Math.max(most, document.querySelectorAll('.tile').length)
          if (!document.elementFromPoint(700, 500)?.closest('.cell, .block')) empty += 1
        }
        return [most, empty] as const
      }, steps)
    })
    expect(used / steps).toBeLessThan(50)
    expect(blank).toBe(0)
    expect(tiles).toBeLessThan(150)
    expect(requests.filter((url) => url.includes('/previews/')).length).toBeLessThan(large / 2)
    expect(wrong).toEqual([])
    await page.close()
  })

  test('are reached by a link', async () => {
    const { page } = await open('#/library/asset/arrow-door-04004')
    const tile = page.locator('.tile[aria-current]')
    await tile.locator('img.is-shown').waitFor()
    expect(await page.locator('.detail-name').innerText()).toBe('Arrow Door 04004')
    const box = await tile.boundingBox()
    expect(box && box.y > 100 && box.y < 800).toBe(true)
    await page.close()
  })

  test('are reached by a link with another alias of their kit', async () => {
    const { page } = await open('#/second/asset/coral')
    await page.locator('.detail').waitFor()
    expect(await page.locator('.detail-name').innerText()).toBe('Coral')
    await page.close()
  })
})

describe('content', () => {
  test("doesn't run any code, no matter what its names contain", async () => {
    const { page, wrong } = await open('#/brand/section/odd')
    for (const name of [hostileName, rightToLeft, longName]) {
      const tile = page.locator('.tile').filter({ has: page.locator(`[title=${JSON.stringify(name)}]`) })
      await tile.click()
      await page.waitForFunction((text) => document.querySelector('.detail-name')?.textContent === text, name)
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(1280)
    }
    await page.waitForTimeout(300)
    // Wait until the thumbnail has failed.
    await page.locator('.tile', { hasText: 'Broken' }).locator('.type-tile').waitFor()
    expect(await page.evaluate(() => document.querySelectorAll('script').length)).toBe(1)
    expect(wrong).toEqual([])
    await page.close()
  })

  test('has names at the left edge, and a slug for a blank name', async () => {
    const { page } = await open('#/brand/section/odd')
    const tile = page.locator('.tile').filter({ has: page.locator(`[title=${JSON.stringify(shortRightToLeft)}]`) })
    const [name, facts] = await Promise.all(
      ['.name-head', '.tile-facts'].map((part) => tile.locator(part).boundingBox()),
    )
    expect(name?.x).toBe(facts?.x)
    expect(await page.locator('.tile-name[title^="asset-"]').innerText()).toMatch(/^asset-[0-9a-f]{8}$/)
    await page.close()
  })

  test('has guides, notes, galleries and captions in their places, as text', async () => {
    const { page, wrong } = await open('#/brand/section/rules')
    await page.locator('.gallery').waitFor()
    const shown = page.locator('.block', { hasText: 'Use the logo on white.' })
    expect(await shown.locator('.note').innerText()).toContain('<img src=x')
    expect(await shown.locator('.tile .guide-title').allInnerTexts()).toEqual(['Do', "Don't"])
    const order = page.locator('.block .note, .block .guide-title, .block code, .gallery-name, .tile-caption')
    const texts = (await order.allInnerTexts()).map((text) => text.slice(0, 18))
    expect(texts).toEqual([
      'Use the logo on wh',
      'Do',
      "Don't",
      'Ask',
      'npm install',
      'Campaign 2026',
      'The mark on paper.',
    ])
    for (const width of [1280, 400]) {
      await page.setViewportSize({ width, height: 860 })
      // Blocks are as high as their texts, and nothing covers the texts.
      const tops = () =>
        page.evaluate(() =>
          Array.from(document.querySelectorAll('.block'), (block) => {
            const { height } = block.getBoundingClientRect()
            return Math.max(0, block.scrollHeight - Math.ceil(height))
          }),
        )
      await expect.poll(async () => (await tops()).every((more) => more === 0)).toBe(true)
      expect(await page.evaluate(() => document.querySelectorAll('.ruler').length)).toBe(0)
    }
    await page.locator('.tile', { hasText: 'Leave space around it.' }).click()
    await page.locator('.detail[open]').waitFor()
    expect(await page.locator('.detail-said').allInnerTexts()).toEqual([
      expect.stringContaining('<script>hit()</script>'),
      expect.stringContaining('The mark on paper.'),
    ])
    expect(await page.locator('.detail .facts').first().innerText()).toContain('2027-01-31')
    expect(wrong).toEqual([])
    await page.close()
  })

  test('is filtered by custom fields, and counts follow', async () => {
    const { page } = await open('#/brand')
    const rights = page.getByLabel('Rights')
    expect(await rights.locator('option').allInnerTexts()).toEqual(['Rights', 'Web (1)', 'Print only (1)'])
    await rights.selectOption('Print only')
    await page.waitForFunction(() => document.querySelectorAll('.tile').length === 2)
    expect(await page.locator('.search input').inputValue()).toBe('rights="Print only"')
    expect(await page.locator('.chip .count').allInnerTexts()).toEqual(['1', '0', '0', '0'])
    expect(await rights.locator('option').allInnerTexts()).toEqual(['Rights', 'Web (1)', 'Print only (1)'])
    await page.getByLabel('Contents').first().getByText('Rules').waitFor()
    // The rules contain the asset twice but count it once.
    expect(await page.locator('.side .count').allInnerTexts()).toEqual(['1', '0', '0', '0', '0', '1'])
    await rights.selectOption('')
    expect(await page.locator('.search input').inputValue()).toBe('')
    await page.close()
  })

  test('is loaded again when it changes, without losing the place', async () => {
    const { page } = await open('#/brand/section/odd')
    await page.locator('.tile', { hasText: 'Archive' }).focus()
    await space.write({ 'space/brand/02 Colors/pine.json': { color: '#103437' } })
    await page.locator('.tile', { hasText: 'Pine' }).waitFor()
    expect(await focused(page)).toBe('Archive')
    await space.delete('space/brand/02 Colors/pine.json')
    await page.locator('.tile', { hasText: 'Pine' }).waitFor({ state: 'detached' })
    await page.close()
  })

  test('stays open while the server is down, and follows it when it is back', async () => {
    const own = await browse(space.folder)
    const page = await browser.newPage()
    await page.goto(`${own.url}#/brand`)
    await page.locator('.tile').first().waitFor()
    await own.stop()
    await page.locator('.away').waitFor()
    expect(await page.locator('.tile').count()).toBeGreaterThan(5)
    const again = await browse(space.folder, Number(new URL(own.url).port))
    await page.locator('.away').waitFor({ state: 'detached' })
    await again.stop()
    await page.close()
  })
})

describe('views', () => {
  test('show usage, refused ids, and a picture of a query', async () => {
    const { page, wrong } = await open('#/brand/usage')
    // Acme Logo, its counterpart for dark backgrounds, and Coral.
    expect(await page.locator('.stat-value').first().innerText()).toBe('3')
    expect(await page.locator('.refusals').innerText()).toContain('acme-lgo')
    await page.locator('.row', { hasText: 'Acme Logo' }).click()
    await page.locator('.toggle', { hasText: /^640$/ }).click()
    await page.locator('.toggle', { hasText: /^webp$/ }).click()
    await page.locator('.result img').waitFor()
    expect(await page.locator('.query-result code').last().innerText()).toBe(
      'content-space:asset/brand/acme-logo?w=640&format=webp',
    )
    expect(await page.locator('.result').innerText()).toContain('640 × 480')
    expect(wrong).toEqual([])
    await page.close()
  })

  test('show copies beside uses, and request them only then', async () => {
    const { page, wrong, requests } = await open('#/brand')
    const asked = () => requests.filter((url) => url.endsWith('data/copies.json')).length
    expect(asked()).toBe(0)
    await page.locator('.tile', { hasText: 'White Logo' }).click()
    expect(await page.locator('.detail h4').innerText()).toBe('Copies 1')
    expect(await page.locator('.detail .places').last().innerText()).toMatch(/^public\/white\.svg\s*:1\s*copy$/)
    await page.keyboard.press('ArrowLeft')
    await page.waitForFunction(() => document.querySelector('.detail-name')?.textContent === 'Acme Logo')
    expect(await page.locator('.detail h4').count()).toBe(0)
    expect(asked()).toBe(1)
    await page.goto(`${server.url}#/brand/usage`)
    await page.locator('.list-part', { hasText: 'Copies' }).locator('.row', { hasText: 'White Logo' }).waitFor()
    expect(await page.locator('.stat-value').first().innerText()).toBe('3')
    expect(wrong).toEqual([])
    await page.close()
  })

  test('suggest a word for a search without results', async () => {
    const { page } = await open('#/brand?q=acrihve')
    await page.locator('.notice .text-button').click()
    expect(await page.locator('.tile').innerText()).toContain('Archive')
    await page.close()
  })

  const hashes = [
    '#/',
    '#/brand',
    '#/brand?q=type:svg+unused',
    '#/brand?q=qqqqqq',
    '#/brand/asset/acme-logo',
    '#/brand/asset/coral',
    '#/brand/section/rules',
    '#/brand/asset/right?q=rights=web',
    '#/brand/usage',
    '#/brand/changes',
    '#/empty',
    '#/library/section/part-9',
    '#/nothing',
  ]
  // Tests each width and each scheme only once, because a finding depends on one of them.
  test.each([
    [1280, 'light'],
    [400, 'dark'],
  ] as const)('have no findings of axe at %i pixels, %s', async (width, colorScheme) => {
    for (const hash of hashes) {
      const options = {
        viewport: { width, height: 800 },
        colorScheme,
        bypassCSP: true,
        reducedMotion: 'reduce',
      } as const
      const { page } = await open(hash, options)
      await page.waitForTimeout(300)
      expect(await findingsOf(page), hash).toEqual([])
      expect(await page.evaluate(() => document.documentElement.scrollWidth), hash).toBeLessThanOrEqual(width)
      await page.close()
    }
  })
})
