import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Browser } from 'playwright-core'

/** Opens a page from disk and records its requests, console messages, errors, and scripts. */
export async function openStatic(browser: Browser, folder: string, html: string, width: number) {
  const path = join(folder, 'page.html')
  await writeFile(path, html)
  const page = await browser.newPage({ viewport: { width, height: 900 } })
  const seen: string[] = []
  page.on('console', (message) => void seen.push(message.text()))
  page.on('pageerror', (error) => void seen.push(error.message))
  page.on('request', (request) => request.url().startsWith('data:') || seen.push(request.url()))
  await page.exposeFunction('hit', () => void seen.push('hit'))
  await page.goto(pathToFileURL(path).href)
  return { page, seen, address: pathToFileURL(path).href }
}
