import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { wcagContrast } from 'culori'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { project } from '../support/cli.js'
import { findingsOf } from './axe.js'
import { launch } from './chromium.js'
import { play, type Play } from './play.js'

/** The sections and headings of edition 1.0, in the order of the space. */
const headings = [
  ['Logos', 'Logo', 'On dark ground', 'Mark'],
  ['Colours'],
  ['Icons', 'Weather', 'Outdoors', 'Interface'],
  ['Photographs', 'Sea', 'Land', 'Night', 'Campaign: first light'],
  ['Product', 'Beacon', 'Motion'],
  ['Print'],
  ['Fonts', 'Records'],
].flat()

/**
 * Lists pictures with fewer pixels than their displayed size, unless the file in the space has no more pixels either.
 */
async function blurredPictures(page: Page): Promise<string[]> {
  return page.evaluate(async () => {
    const images = [...document.images]
    for (const image of images) image.loading = 'eager'
    await Promise.all(images.map((image) => image.decode()))
    const blurred = images.map(async (image) => {
      if (/\.svg|\.gif|^data:image\/(svg|gif)/.test(image.currentSrc)) return []
      const { width, height } = image.getBoundingClientRect()
      const bitmap = await createImageBitmap(await fetch(image.currentSrc).then((response) => response.blob()))
      const scales = [width / bitmap.width, height / bitmap.height]
      const isCropped = getComputedStyle(image).objectFit === 'cover'
      const needed = (isCropped ? Math.max(...scales) : Math.min(...scales)) * bitmap.width * devicePixelRatio
      const widths = [...(image.srcset || '').matchAll(/ (\d+)w/g)].map(([, text]) => Number(text))
      const most = Math.max(bitmap.width, ...widths)
      return bitmap.width + 1 < Math.min(needed, most) ? [`${image.currentSrc}: ${bitmap.width} of ${needed}`] : []
    })
    return (await Promise.all(blurred)).flat()
  })
}

/** Returns the contrast between each text color and each background. */
async function contrasts(page: Page): Promise<Record<string, number>> {
  const colors = await page.evaluate(() => {
    const probe = document.body.appendChild(document.createElement('i'))
    const found = ['text', 'quiet', 'accent', 'ground', 'raised'].map((name) => {
      probe.style.color = `var(--${name})`
      return [name, getComputedStyle(probe).color] as const
    })
    probe.remove()
    return found
  })
  const colorOf = new Map(colors)
  const pairs = ['text', 'quiet', 'accent'].flatMap((text) => ['ground', 'raised'].map((ground) => [text, ground]))
  return Object.fromEntries(
    pairs.map(([text = '', ground = '']) => {
      const ratio = wcagContrast(colorOf.get(text) ?? '', colorOf.get(ground) ?? '')
      return [`${text} on ${ground}`, Number(ratio.toFixed(2))]
    }),
  )
}

/** Resolves generated imports in a project with the playground's configuration. */
async function problemsOf(imports: readonly string[]): Promise<string> {
  const source = imports.map((line, index) => line.replace(/^import \{ (\w+) \}/, `export { $1 as name${index} }`))
  // Without the import of the package, which doesn't exist in a temporary folder.
  const config = (await read('content-space.config.ts')).replace(/^import .*$/m, '').replace('defineConfig(', '(')
  const work = await project(
    { 'content-space.config.ts': config, 'src/main.ts': source.join('\n') },
    { CONTENT_SPACE_URL: '' },
  )
  const { stdout, stderr, code } = await work.run('sync', '--space', fileURLToPath(playground('space')))
  await work.remove()
  return code === 0 ? '' : stdout + stderr
}

function playground(file: string): URL {
  return new URL(`../../playground/${file}`, import.meta.url)
}

function read(file: string): Promise<string> {
  return readFile(playground(file), 'utf8')
}

let browser: Browser

beforeAll(async () => {
  browser = await launch()
})
afterAll(() => browser.close())

/** Returns how the page uses the kit's tokens, and whether its logo has the text color in both color schemes. */
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
    // If a font isn't rendered, the text has the width of the fallback.
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

    for (const width of [400, 768, 1280]) {
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

        expect(hero).toEqual({ type: 'image/webp', width: 1280, preview: 'none' })
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
        await page.getByRole('link', { name: 'Fonts' }).click()
        expect(new URL(page.url()).hash).toBe('#fonts')
        expect(complaints).toEqual([])
        await page.close()
      })
    }

    for (const width of [400, 768, 1280]) {
      for (const deviceScaleFactor of [1, 2]) {
        test(`chooses pictures that are sharp at ${width} pixels and density ${deviceScaleFactor}`, async () => {
          const page = await browser.newPage({ viewport: { width, height: 900 }, deviceScaleFactor })
          await page.goto(address, { waitUntil: 'load' })
          expect(await blurredPictures(page)).toEqual([])
          await page.close()
        })
      }
    }

    test('shows code that imports each asset, and copies it', async () => {
      const page = await browser.newPage({ viewport: { width: 1280, height: 900 } })
      await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
      await page.goto(address, { waitUntil: 'load' })
      await page.locator('.icon').nth(19).waitFor()
      const blocks = await page
        .locator('.code code')
        .evaluateAll((codes) => codes.map((code) => [...code.children].map((line) => line.textContent)))
      const icons = await page
        .locator('.icon')
        .evaluateAll((all) => all.map((icon) => icon.getAttribute('title') ?? ''))
      const imports = [...blocks.flat(), ...icons].filter((line) => line.startsWith('import '))
      const source = await Promise.all(['main.ts', 'icons.ts'].map((file) => read(file)))
      const written = imports.filter((line) => source.some((text) => text.split('\n').includes(line)))
      const generated = imports.filter((line) => !written.includes(line))

      expect(written.length).toBeGreaterThanOrEqual(12)
      expect(await problemsOf(generated)).toBe('')
      expect(new Set(generated).size).toBe(generated.length)
      expect(generated).toHaveLength(40)
      expect(blocks.flat()).toContain("colors.coral.css // '#e5603f'")

      await page.getByRole('button', { name: 'Copy the import of Tide Lines' }).click()
      expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(
        "import { tideLines } from 'content-space:section/brand/photographs?preset=gallery'",
      )
      await page.getByRole('button', { name: 'Compass' }).click()
      expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(
        "import { Compass } from 'content-space:section/brand/icons?as=preact'",
      )
      await page.close()
    })

    test('explains itself, links to the README, and keeps ids on one line at 400 pixels', async () => {
      const page = await browser.newPage({ viewport: { width: 400, height: 900 } })
      await page.goto(address, { waitUntil: 'load' })
      await page.locator('.grid .copy').first().waitFor()
      expect(await page.locator('#hero').textContent()).toContain('demo of unplugin-content-space')
      expect(await page.getByRole('link', { name: 'README' }).count()).toBe(2)
      const shown = await page
        .locator('.copy')
        .evaluateAll((all) => all.every((button) => getComputedStyle(button).opacity === '1'))
      expect(shown).toBe(true)
      const lines = await page
        .locator('.code .string')
        .evaluateAll((ids) =>
          ids.map(
            (id) => new Set([...id.querySelectorAll('.unbroken')].map((part) => part.getBoundingClientRect().top)).size,
          ),
        )
      expect(lines.length).toBeGreaterThan(30)
      expect(new Set(lines)).toEqual(new Set([1]))
      expect(await findingsOf(page)).toEqual([])
      await page.close()
    })

    test('shows notes, guides, a gallery and custom fields in their places', async () => {
      const page = await browser.newPage({ viewport: { width: 1280, height: 900 } })
      await page.goto(address, { waitUntil: 'load' })
      await page.locator('.strip img').nth(2).waitFor()
      const guides = await page.locator('#logos h3:has-text("On dark ground") ~ .guides .guide').evaluateAll((all) =>
        all.map((guide) => {
          const ground = guide.querySelector('.tile')
          const picture = guide.querySelector('img')
          return [guide.textContent, picture?.alt, ground && getComputedStyle(ground).backgroundColor]
        }),
      )
      expect(guides).toEqual([
        ['DoTake the reversed logo.', 'Solvane Logo Reversed', 'rgb(17, 55, 58)'],
        ['Don’tPut the first logo on dark ground.', 'Solvane Logo', 'rgb(17, 55, 58)'],
      ])
      expect(await page.locator('.note').allTextContents()).toEqual([
        'Dark ground is Pine, or a photograph of the night.',
        'One light, wide and calm. Text stands where a picture is quiet.',
      ])
      const members = page.locator('#photographs h3:has-text("Campaign") + .strip figure')
      expect(await members.allTextContents()).toEqual(['Coast At Dawn', 'Pines In Mist', 'Night Camp'])
      expect(await page.locator('.fact').allTextContents()).toEqual([
        'Expires: 2027-12-31',
        'Rights: Web and print',
        'Expires: 2028-06-30',
        'Rights: Web',
      ])
      await page.close()
    })

    test('has a palette with contrast, and the mark for the background, in light and dark mode', async () => {
      const page = await browser.newPage()
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme })
        await page.goto(address, { waitUntil: 'load' })
        const mark = page.locator('#mark img')
        await mark.scrollIntoViewIfNeeded()
        await expect
          .poll(() =>
            mark.evaluate((image: HTMLImageElement) => /solvane-mark(-reversed)?/.exec(image.currentSrc)?.[0]),
          )
          .toBe(colorScheme === 'light' ? 'solvane-mark' : 'solvane-mark-reversed')
        const ratios = await contrasts(page)
        console.log(`Contrast of the demo, ${colorScheme}: ${JSON.stringify(ratios)}`)
        expect(Object.entries(ratios).filter(([, ratio]) => ratio < 4.5)).toEqual([])
      }
      await page.close()
    })

    test("doesn't break lines inside a comment, and prints the kit browser's URL", async () => {
      const page = await browser.newPage({ viewport: { width: 1280, height: 900 } })
      await page.goto(address, { waitUntil: 'load' })
      await page.locator('#rows tr').first().waitFor()
      const comments = page.locator('.comment .unbroken')
      expect(await comments.count()).toBeGreaterThan(4)
      const lines = await comments.evaluateAll((all) => all.map((comment) => comment.getClientRects().length))
      expect(new Set(lines)).toEqual(new Set([1]))
      await page.goto(await running.says(/Kit browser: (http:\S+)/))
      await page.getByText('Solvane Logo Reversed').first().waitFor()
      // A static site of one kit is named after the kit. A server names the space too.
      expect(await page.title()).toBe(script === 'demo' ? 'Solvane Brand' : 'Solvane Brand · Space 4021')
      await page.close()
    })

    test('opens the kit browser with one click', async () => {
      const page = await browser.newPage({ viewport: { width: 1280, height: 900 } })
      await page.goto(address, { waitUntil: 'load' })
      await page.getByRole('banner').getByRole('link', { name: 'Kit browser' }).click()
      await page.getByText('Solvane Logo Reversed').first().waitFor()
      await page.close()
    })

    test('reports what its content has cost', async () => {
      const page = await browser.newPage({ viewport: { width: 1280, height: 900 } })
      await page.goto(address, { waitUntil: 'load' })
      await page.locator('#rows tr').first().waitFor()
      const facts = await page.locator('#paid li').allTextContents()
      if (script === 'demo') {
        expect(facts).toEqual([
          expect.stringMatching(/^\d+ files(?: and \d+ inlined)? from Solvane Brand 1$/),
          expect.stringMatching(/^[\d.]+ [kM]B$/),
          expect.stringMatching(/^[\d.]+ s to build$/),
          // The space is in the repository: five colors and four drawings.
          '9 unused: 4 downloads and 5.4 kB saved',
        ])
        expect(await running.says(/\d+ files.* from Solvane Brand 1/)).toBe(facts[0])
      } else {
        expect(facts).toEqual([
          expect.stringMatching(/^\d+ files made, when this page asked for them$/),
          expect.stringMatching(/^\d+ kB$/),
        ])
      }
      await page.close()
    })
  })
}

test('the demo with --once ends after the build, and does not change committed files', async () => {
  const committed = ['content-space.lock.json', 'content-space.d.ts', 'tokens.css']
  const readAll = () => Promise.all(committed.map(read))
  const before = await readAll()
  const { code, output } = await play('demo', '--once').ended
  expect(code).toBe(0)
  expect(output).toMatch(/\d+ files.* from Solvane Brand 1, .*; 41 downloaded \(/)
  expect(output).toMatch(/The page is playground.dist.index\.html\./)
  expect(await readAll()).toEqual(before)
  // It doesn't print the names of all files.
  expect(output.split('\n').length).toBeLessThan(10)
})
