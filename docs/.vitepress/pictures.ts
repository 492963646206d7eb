import { fileURLToPath } from 'node:url'
import sharp from 'sharp'
import { launch } from '../../test/browser/chromium.js'
import { play } from '../../test/browser/play.js'

// Makes the pictures of the README and the site in light and dark: the demo beside the kit browser, each alone, and
// sections of the demo.

const pathOf = (name: string) => fileURLToPath(new URL(`../public/${name}.webp`, import.meta.url))
const view = { width: 960, height: 720 }
const gap = 24
/** The picture of each section ends after its first row. */
const sections = {
  pictures: { id: 'photographs', bottom: 592 },
  components: { id: 'icons', bottom: 440 },
  tokens: { id: 'colours', bottom: 490 },
}
const top = 48

const demo = play('demo')
const address = await demo.says(/Local:\s+(http:\S+)/)
const browser = await launch()
for (const colorScheme of ['light', 'dark'] as const) {
  const page = await browser.newPage({ viewport: view, colorScheme, reducedMotion: 'reduce' })
  const shots: Buffer[] = []
  for (const [path, ready] of [
    ['', '.icon'],
    ['kit/', 'img'],
  ] as const) {
    await page.goto(new URL(path, address).href, { waitUntil: 'networkidle' })
    await page.locator(ready).first().waitFor()
    await page.evaluate(() => document.fonts.ready.then(() => undefined))
    shots.push(await page.screenshot())
  }
  const composite = shots.map((input, index) => ({ input, left: index * (view.width + gap), top: 0 }))
  const ground = { r: 0, g: 0, b: 0, alpha: 0 }
  await sharp({ create: { width: 2 * view.width + gap, height: view.height, channels: 4, background: ground } })
    .composite(composite)
    .webp({ quality: 82, effort: 6 })
    .toFile(pathOf(`demo-${colorScheme}`))
  for (const [index, name] of ['page', 'kit'].entries())
    await sharp(shots[index])
      .webp({ quality: 82, effort: 6 })
      .toFile(pathOf(`${name}-${colorScheme}`))

  await page.goto(address, { waitUntil: 'networkidle' })
  // The bar would cover the title of the section.
  await page.addStyleTag({ content: 'header { display: none !important } html { scroll-padding: 0 }' })
  for (const [name, { id, bottom }] of Object.entries(sections)) {
    await page.locator(`#${id}`).evaluate(async (element) => {
      element.scrollIntoView({ behavior: 'instant' })
      const pictures = [...element.querySelectorAll('img')]
      const visible = pictures.filter((picture) => picture.getBoundingClientRect().top < innerHeight)
      await Promise.all(visible.map((picture) => picture.decode()))
    })
    await sharp(await page.screenshot({ clip: { x: 0, y: top, width: view.width, height: bottom - top } }))
      .webp({ quality: 82, effort: 6 })
      .toFile(pathOf(`${name}-${colorScheme}`))
  }
}
await browser.close()
await demo.interrupt()
