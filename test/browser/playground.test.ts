import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { launch } from './chromium.js'
import { play, type Play } from './play.js'

/** Sections and headings of edition 1.0, in the order of the space. */
const headings = [
  ['Logos', 'Logo', 'Mark'],
  ['Colours'],
  ['Icons', 'Weather', 'Outdoors', 'Interface'],
  ['Photographs', 'Sea', 'Land', 'Night'],
  ['Product', 'Beacon', 'Motion'],
  ['Print'],
  ['Fonts', 'Records'],
].flat()

let browser: Browser

beforeAll(async () => {
  browser = await launch()
})
afterAll(() => browser.close())

/** What the tokens of the kit make of the page, and whether its logo has the color of the text in both color schemes. */
async function tokens(page: Page) {
  const logo: boolean[] = []
  for (const colorScheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme })
    logo.push(
      await page.evaluate(() => {
        const path = document.querySelector('#bar-logo path')
        return path !== null && getComputedStyle(path).fill === getComputedStyle(document.body).color
      }),
    )
  }
  const shown = await page.evaluate(async () => {
    await document.fonts.ready
    const title = document.querySelector('h1')
    // A font that is not drawn leaves the width of the fallback.
    const width = (family: string): number => {
      const line = document.createElement('span')
      Object.assign(line.style, { position: 'absolute', whiteSpace: 'nowrap', font: `600 40px ${family}` })
      line.textContent = title?.textContent ?? ''
      document.body.append(line)
      const measured = line.getBoundingClientRect().width
      line.remove()
      return measured
    }
    return {
      swatches: [...document.querySelectorAll('.swatch')].map((swatch) => getComputedStyle(swatch).backgroundColor),
      hasFont:
        title !== null &&
        getComputedStyle(title).fontFamily.startsWith('Outfit') &&
        width('Outfit, monospace') !== width('monospace'),
    }
  })
  return { ...shown, logo }
}

for (const [name, script] of [
  ['the production build', 'demo'],
  ['the dev server', 'dev'],
] as const) {
  describe(name, () => {
    let running: Play
    let address = ''

    beforeAll(async () => {
      running = play(script)
      address = await running.says(/Local:\s+(http:\S+)/)
    })
    afterAll(async () => expect(await running.interrupt()).toBe(0))

    for (const width of [400, 1280]) {
      test(`shows every picture at ${width} pixels without errors`, async () => {
        const page = await browser.newPage({ viewport: { width, height: 900 } })
        const complaints: string[] = []
        page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()))
        page.on('pageerror', (error) => complaints.push(error.message))
        page.on('requestfailed', (request) => complaints.push(`${request.url()} failed`))
        page.on(
          'response',
          (response) => response.status() >= 400 && complaints.push(`${response.url()}: ${response.status()}`),
        )

        await page.goto(address, { waitUntil: 'load' })
        await page.locator('#rows tr').first().waitFor()
        await page.locator('.icon').nth(19).waitFor()
        const pictures = await page.evaluate(async () => {
          const images = [...document.images]
          for (const image of images) image.loading = 'eager'
          await Promise.all(images.map((image) => image.decode()))
          return images.map(({ currentSrc, naturalWidth }) => ({ currentSrc, naturalWidth }))
        })
        await page.waitForLoadState('networkidle')

        const hero = await page.locator('#hero img').evaluate(async (image: HTMLImageElement) => {
          const file = await fetch(image.currentSrc).then((response) => response.blob())
          const bitmap = await createImageBitmap(file)
          return { type: file.type, width: bitmap.width, preview: getComputedStyle(image).backgroundImage }
        })
        const colours = await page
          .locator('.icon')
          .evaluateAll((icons) =>
            icons.map((icon) => [
              getComputedStyle(icon).color,
              ...[...icon.querySelectorAll('path')].map((path) => getComputedStyle(path).stroke),
            ]),
          )

        expect(hero).toEqual({ type: 'image/avif', width: width === 400 ? 640 : 1280, preview: 'none' })
        expect(colours).toHaveLength(20)
        expect(
          colours.filter(([colour, ...strokes]) => strokes.length === 0 || strokes.some((stroke) => stroke !== colour)),
        ).toEqual([])
        expect(pictures.filter(({ naturalWidth }) => naturalWidth === 0)).toEqual([])
        expect(pictures.length).toBeGreaterThanOrEqual(21)
        expect(await page.locator('h2, h3').allTextContents()).toEqual(headings)
        expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width)
        expect(await tokens(page)).toEqual({
          swatches: [
            'rgb(229, 96, 63)',
            'rgb(227, 238, 233)',
            'rgb(17, 55, 58)',
            'rgb(244, 169, 53)',
            'rgb(31, 122, 120)',
          ],
          hasFont: true,
          logo: [true, true],
        })
        await page.getByRole('searchbox').fill('arrow')
        expect(await page.locator('.icon').allTextContents()).toEqual(['Arrow Left', 'Arrow Right'])
        expect(complaints).toEqual([])
        await page.close()
      })
    }
  })
}

test('the demo with --once ends after the build, and does not change committed files', async () => {
  const committed = ['content-space.lock.json', 'content-space.d.ts', 'tokens.css']
  const read = () =>
    Promise.all(
      committed.map((file) => readFile(fileURLToPath(new URL(`../../playground/${file}`, import.meta.url)), 'utf8')),
    )
  const before = await read()
  const { code, output } = await play('demo', '--once').ended
  expect(code).toBe(0)
  expect(output).toMatch(/Solvane Brand \(version 1\): \d+ of 50 assets used/)
  expect(output).toMatch(/\d+ files, 41 downloaded \(.*\), \d+ requests/)
  expect(await read()).toEqual(before)
})
