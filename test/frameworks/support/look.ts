import { parseFragment, serializeOuter, type DefaultTreeAdapterTypes } from 'parse5'
import type { Browser, Page } from 'playwright-core'
import { launch } from '../../browser/chromium.js'

/** What a person sees on a page after its scripts have run. */
export interface Look {
  /** The pictures, in the order of the document. Pictures that load late have been loaded. */
  pictures: Picture[]
  /** Errors of scripts and the console, warnings about hydration, and requests that failed. */
  problems: string[]
  /** The markup of the elements with attribute `data-content`, by its value: after hydration, and from the server. */
  markup: { client: Record<string, string>; server: Record<string, string> }
}

interface Picture {
  alt: string
  /** The address that the browser has chosen, without origin. */
  src: string
  /**
   * The width of the decoded picture, in pixels of the page: `sizes` divides the pixels of the file. 0 if it couldn't
   * be decoded.
   */
  width: number
}

let browser: Promise<Browser> | undefined

/** Opens a page in a window of 800 × 600 pixels. The caller closes it. */
export async function openPage(): Promise<Page> {
  browser ??= launch()
  return (await browser).newPage({ viewport: { width: 800, height: 600 } })
}

/** Opens a page once, until it stops making requests. */
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
 * Looks at a page.
 * @param options.ignore problems of the framework itself, which have nothing to do with content
 */
export async function look(url: string, { ignore = [] as RegExp[] } = {}): Promise<Look> {
  const page = await openPage()
  try {
    const problems = collectProblems(page)
    // Not the response of the page, which is lost when a dev server reloads the page.
    const response = await fetch(url, { signal: AbortSignal.timeout(60_000) })
    const server = markupOf(await response.text())
    await page.goto(url, { waitUntil: 'load' })
    await page.waitForLoadState('networkidle')
    // Before late pictures load: their placeholders go then.
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
 * Collects problems of a page from now on.
 * @param options.warnings collects all warnings, not only those about hydration
 */
export function collectProblems(page: Page, { warnings = false } = {}): string[] {
  const problems: string[] = []
  page.on('pageerror', (error) => void problems.push(error.message))
  page.on('requestfailed', (request) => void problems.push(`${request.url()}: ${request.failure()?.errorText}`))
  page.on('response', (response) => {
    if (response.status() >= 400) problems.push(`${response.url()}: ${response.status()}`)
  })
  page.on('console', (message) => {
    // The browser repeats failed requests here.
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

/** Scrolls to each picture, so that it loads. Attributes stay as they are: the page may not be hydrated yet. */
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
    // A late picture that a script replaces before it has loaded is never decoded.
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

/** Frameworks mark the borders of texts with comments. */
function withoutComments<T extends DefaultTreeAdapterTypes.Node>(node: T): T {
  if ('childNodes' in node) {
    node.childNodes = node.childNodes.filter(({ nodeName }) => nodeName !== '#comment')
    node.childNodes.forEach(withoutComments)
  }
  return node
}
