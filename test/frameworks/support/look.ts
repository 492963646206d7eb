import { parseFragment, serializeOuter, type DefaultTreeAdapterTypes } from 'parse5'
import type { Browser, Page } from 'playwright-core'
import { launch } from '../../browser/chromium.js'

/** What a person sees on a page after its scripts have run. */
export interface Look {
  /** The pictures in document order. Lazy pictures have been loaded. */
  pictures: Picture[]
  /** Errors from scripts and the console, warnings about hydration, and failed requests. */
  problems: string[]
  /** The markup of the elements with a `data-content` attribute, by its value: after hydration, and from the server. */
  markup: { client: Record<string, string>; server: Record<string, string> }
}

interface Picture {
  alt: string
  /** The URL that the browser has chosen, without its origin. */
  src: string
  /**
   * The width of the decoded picture in CSS pixels, because `sizes` divides the file's pixels. 0 if it couldn't be
   * decoded.
   */
  width: number
}

let browser: Promise<Browser> | undefined

/** Opens a page in a window of 800 × 600 pixels. The caller closes it. */
export async function openPage(): Promise<Page> {
  browser ??= launch()
  return (await browser).newPage({ viewport: { width: 800, height: 600 } })
}

/** Opens a page once, until it stops sending requests. */
export async function openOnce(url: string): Promise<void> {
  const page = await openPage()
  await page.goto(url, { waitUntil: 'networkidle' })
  await page.close()
}

/** Closes the browser. */
export async function closeBrowser(): Promise<void> {
  await (await browser)?.close()
  browser = undefined
}

/**
 * Opens a page and returns what is on it.
 * @param options.ignore problems of the framework itself, which are unrelated to content
 */
export async function look(url: string, { ignore = [] as RegExp[] } = {}): Promise<Look> {
  const page = await openPage()
  try {
    const problems = collectProblems(page)
    // Fetch the page separately, because its response is lost when a dev server reloads the page.
    const response = await fetch(url, { signal: AbortSignal.timeout(60_000) })
    const server = markupOf(await response.text())
    await page.goto(url, { waitUntil: 'load' })
    await page.waitForLoadState('networkidle')
    // Read the markup before lazy pictures load, because their placeholders are removed then.
    const client = markupOf(await page.content())
    const pictures = await page.evaluate(decodePictures)
    const origin = new URL(url).origin
    return {
      pictures: pictures.map((picture) => ({ ...picture, src: picture.src.replace(origin, '') })),
      problems: problems.filter((problem) => !ignore.some((pattern) => pattern.test(problem))),
      markup: { client, server },
    }
  } finally {
    await page.close()
  }
}

/**
 * Collects a page's problems from now on.
 * @param options.warnings whether to collect all warnings, not only those about hydration
 */
export function collectProblems(page: Page, { warnings = false } = {}): string[] {
  const problems: string[] = []
  page.on('pageerror', (error) => void problems.push(error.message))
  page.on('requestfailed', (request) => void problems.push(`${request.url()}: ${request.failure()?.errorText}`))
  page.on('response', (response) => {
    if (response.status() >= 400) problems.push(`${response.url()}: ${response.status()}`)
  })
  page.on('console', (message) => {
    // Here, the browser repeats failed requests.
    if (message.text().startsWith('Failed to load resource')) return
    if (
      message.type() === 'error' ||
      (warnings && message.type() === 'warning') ||
      /hydrat|did not match|mismatch/i.test(message.text())
    )
      problems.push(message.text())
  })
  return problems
}

/** Scrolls to each picture so that it loads. Doesn't change attributes, because the page may not be hydrated yet. */
async function decodePictures(): Promise<Picture[]> {
  const pictures: Picture[] = []
  for (let image = document.images[0]; image; image = document.images[pictures.length]) {
    if (image.getClientRects().length === 0) image.loading = 'eager'
    else image.scrollIntoView({ block: 'center', behavior: 'instant' })
    const decoding = image.decode().then(
      () => true,
      () => false,
    )
    const replaced = async (): Promise<undefined> => {
      while (image.isConnected) await new Promise((resolve) => setTimeout(resolve, 100))
    }
    const late = new Promise<never>((_, reject) => {
      const say = () => reject(new Error(`${image.currentSrc} is not decoded after a minute: ${image.outerHTML}`))
      setTimeout(say, 60_000)
    })
    // A lazy picture is never decoded if a script replaces it before it has loaded.
    const decoded = await Promise.race([decoding, replaced(), late])
    if (decoded === undefined) continue
    pictures.push({ alt: image.alt, src: image.currentSrc, width: decoded ? image.naturalWidth : 0 })
  }
  return pictures
}

function markupOf(html: string): Record<string, string> {
  const markup: Record<string, string> = {}
  const visit = (node: DefaultTreeAdapterTypes.Node): void => {
    const name = 'attrs' in node ? node.attrs.find((attribute) => attribute.name === 'data-content')?.value : undefined
    if (name !== undefined && 'attrs' in node) markup[name] = serializeOuter(withoutComments(node))
    if ('childNodes' in node) node.childNodes.forEach(visit)
  }
  visit(parseFragment(html))
  return markup
}

/** Frameworks use comments to mark the boundaries of texts. */
function withoutComments<T extends DefaultTreeAdapterTypes.Node>(node: T): T {
  if ('childNodes' in node) {
    node.childNodes = node.childNodes.filter(({ nodeName }) => nodeName !== '#comment')
    node.childNodes.forEach(withoutComments)
  }
  return node
}
