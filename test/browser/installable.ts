import type { Page } from 'playwright-core'
import { expect } from 'vitest'

/**
 * Checks that a browser can install a page as an application without an error, and that all its icons can be decoded.
 * @param url the page with which the application starts
 */
export async function expectInstallable(tab: Page, url: string, name: string): Promise<void> {
  await tab.goto(url)
  const devtools = await tab.context().newCDPSession(tab)
  const manifest = await devtools.send('Page.getAppManifest')
  expect(manifest.errors).toEqual([])
  const read: { name: string; start_url: string; icons: { src: string }[] } = JSON.parse(manifest.data ?? '')
  expect(read.name).toBe(name)
  expect(new URL(read.start_url, manifest.url).href).toBe(url)
  const { installabilityErrors } = await devtools.send('Page.getInstallabilityErrors')
  expect(installabilityErrors.map(({ errorId }) => errorId).filter((id) => id !== 'in-incognito')).toEqual([])
  const links = await tab
    .locator('link[rel=icon], link[rel=apple-touch-icon]')
    .evaluateAll((all) => all.map((link) => link.getAttribute('href') ?? ''))
  const icons = read.icons.map(({ src }) => new URL(src, manifest.url).href)
  const sizes = await tab.evaluate(
    (addresses) =>
      Promise.all(
        addresses.map(async (src) => {
          const image = Object.assign(new Image(), { src })
          await image.decode()
          return image.naturalWidth
        }),
      ),
    [...links, ...icons],
  )
  expect(sizes).toEqual([48, expect.any(Number), 180, 192, 512, 512])
}
