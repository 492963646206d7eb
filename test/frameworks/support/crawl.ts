import { parse, type DefaultTreeAdapterTypes } from 'parse5'
import type { Content } from './content.js'

/** The findings of a crawl. */
export interface Crawl {
  /** The URLs of asset files, sorted and without their origin. */
  files: string[]
  /** URLs that weren't answered, or not with the asset's bytes. */
  problems: string[]
}

/** A reference in a file: the URL as written, and the URLs to which it may resolve. */
type Reference = { text: string; targets: URL[] }

/**
 * Reads pages and the pages, style sheets, scripts, and manifests of the same origin to which they refer, and requests
 * every asset file.
 * @param start the URLs of pages
 */
export async function crawl(start: readonly string[], content: Content): Promise<Crawl> {
  const base = new URL('.', start[0])
  const queue = start.map((address) => new URL(address))
  const [seen, files, problems] = [new Set(queue.map(String)), new Set<string>(), new Set<string>()]
  for (let page = queue.shift(); page !== undefined; page = queue.shift()) {
    const response = await fetch(page)
    const text = await response.text()
    // A server may answer a request for an unknown script with a page.
    if (!response.ok || (!isPage(page) && typeOf(response) === 'text/html')) continue
    for (const { text: written, targets } of referencesIn(text, typeOf(response), new URL(response.url), base)) {
      if (targets.some((target) => content.assetOf(target.pathname) !== undefined)) {
        const found = await firstAnswered(targets, content)
        if (found.problem === undefined) files.add(found.target.pathname)
        else problems.add(`${page.pathname}: ${written}: ${found.problem}`)
      } else {
        for (const target of targets) {
          target.hash = ''
          if (target.origin !== base.origin || !READ.test(target.pathname) || seen.has(String(target))) continue
          // Other strings in a script may look like paths of pages.
          if (isPage(target) && !isPage(page)) continue
          seen.add(String(target))
          queue.push(target)
        }
      }
    }
  }
  return { files: [...files].toSorted(), problems: [...problems].toSorted() }
}

/** Matches the paths to read: pages, style sheets, scripts, and manifests. */
const READ = /(?:\/|\/[^/.]+|\.(?:html|css|m?js|json|webmanifest))$/

function isPage({ pathname }: URL): boolean {
  return /(?:\/|\/[^/.]+|\.html)$/.test(pathname)
}

async function firstAnswered(
  targets: readonly URL[],
  content: Content,
): Promise<{ target: URL; problem: string | undefined }> {
  const answers = await Promise.all(
    targets.map(async (target) => {
      const response = await fetch(target)
      const bytes = Buffer.from(await response.arrayBuffer())
      const problem = response.ok ? await content.problemOf(target.pathname, bytes) : `status ${response.status}`
      return { target, problem }
    }),
  )
  const [first] = answers
  const answer = answers.find(({ problem }) => problem === undefined) ?? first
  if (answer === undefined) throw new Error('A reference has no address.')
  return answer
}

function typeOf(response: Response): string {
  return (response.headers.get('content-type') ?? '').split(';')[0] ?? ''
}

function referencesIn(text: string, type: string, from: URL, base: URL): Reference[] {
  if (type === 'text/html') return referencesInHtml(text, from, base)
  if (type === 'text/css') return resolveAll(addressesInCss(text), [from])
  // URLs in a script are relative to the script, to the first page, or to Next.js's public path.
  const publicPaths = from.href.match(/^.*\/_next\//) ?? []
  if (/script|json|manifest/.test(type))
    return resolveAll(stringsIn(text), [from, base, ...publicPaths.map((path) => new URL(path))])
  return []
}

function referencesInHtml(html: string, from: URL, base: URL): Reference[] {
  const references: Reference[] = []
  const add = (texts: readonly string[], bases = [from]): void => void references.push(...resolveAll(texts, bases))
  const visit = (node: DefaultTreeAdapterTypes.Node): void => {
    if ('attrs' in node) for (const { name, value } of node.attrs) add(addressesInAttribute(name, value))
    if ('tagName' in node && (node.tagName === 'style' || node.tagName === 'script')) {
      const text = node.childNodes.map((child) => ('value' in child ? child.value : '')).join('')
      add(node.tagName === 'style' ? addressesInCss(text) : stringsIn(text), [from, base])
    }
    if ('childNodes' in node) node.childNodes.forEach(visit)
    if ('content' in node) visit(node.content)
  }
  visit(parse(html))
  return references
}

function addressesInAttribute(name: string, value: string): string[] {
  if (/srcset$/i.test(name)) return value.split(/,\s+/).map((candidate) => candidate.trim().split(/\s+/)[0] ?? '')
  if (name === 'style') return addressesInCss(value)
  return /^(?:src|href|xlink:href|poster|data|content)$/.test(name) ? [value] : []
}

function addressesInCss(css: string): string[] {
  const urls = css.matchAll(/url\(\s*(?:"([^"]*)"|'([^']*)'|([^\s"')]*))/g)
  return Array.from(urls, ([, double, single, bare]) => double ?? single ?? bare ?? '')
}

/** Returns strings that end with an extension, and the candidates of a `srcset`. */
function stringsIn(script: string): string[] {
  const strings = script.replaceAll('\\/', '/').matchAll(/(?<=["'`\s,])[^\s"'`<>(){}\\,]+\.[a-z]{2,11}(?=["'`\s])/g)
  return Array.from(strings, ([text]) => text)
}

function resolveAll(texts: readonly string[], bases: readonly URL[]): Reference[] {
  return texts
    .filter((text) => text !== '' && !text.startsWith('data:'))
    .map((text) => {
      const targets = bases.flatMap((base) => (URL.canParse(text, base) ? new URL(text, base) : []))
      return { text, targets: targets.filter(({ protocol }) => protocol === 'http:') }
    })
}
