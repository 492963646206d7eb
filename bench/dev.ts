import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { launch } from '../test/browser/chromium.js'
import { createProject, type Project } from '../test/bundlers/driver.js'
import { lockedSpace } from '../test/support/locked-space.js'
import { svg } from '../test/support/space.js'
import { inTurn, ratio, type Side } from './compare.js'
import { startScript } from './process.js'
import type { Row, Scale } from './report.js'
import { startService } from './service.js'

const rounds = { full: 9, quick: 1 }
const size = 1000
/** How many assets the page displays. */
const shown = 20
const names = Array.from({ length: shown }, (_, index) => `asset${String(index).padStart(5, '0')}`)

/** Starts a dev server and prints its URL. */
const serve = `const { createServer } = await import('vite')
  const server = await createServer({ configFile: false, logLevel: 'error', cacheDir: '.vite', plugins,
    server: { host: '127.0.0.1', port: 0 } })
  await server.listen()
  console.log('url ' + server.resolvedUrls.local[0])`

/** Returns the script of a Vite dev server with or without the plugin. */
export function serveScript(options?: object): string {
  const load = `const { default: plugin } = await import('unplugin-content-space/vite')
    const plugins = [plugin(${JSON.stringify(options)})]`
  return `${options === undefined ? 'const plugins = []' : load}\n${serve}`
}

/**
 * Compares the first page of a new dev server between pictures of a kit from a service and the same pictures from disk,
 * from the start of the process until the pictures are loaded. The browser's cache is empty.
 */
export async function compareDev(scale: Scale): Promise<Row[]> {
  const space = await lockedSpace(size)
  const service = await startService(space.folder)
  const { content, files } = sources()
  const projects = [await createProject(content), await createProject(files)] as const
  const cache = await mkdtemp(join(tmpdir(), 'content-space-cache-'))
  const browser = await launch()
  const options = { ...service.options, cacheDir: cache, rateLimit: false, refresh: false }
  const clear = async (): Promise<void> => {
    const made = ['content-space.lock.json', 'content-space.d.ts', '.vite']
    const paths = projects.flatMap(({ root }) => made.map((path) => join(root, path)))
    await Promise.all([cache, ...paths].map((path) => rm(path, { recursive: true, force: true })))
  }
  try {
    const sides = [
      page('content', browser, projects[0], serveScript(options)),
      page('files', browser, projects[1], serveScript()),
    ]
    const warm = await inTurn('first page, warm', sides, rounds[scale], true)
    const afresh = sides.map(({ name, run }) => ({ name, run: () => clear().then(run) }))
    const cold = await inTurn('first page, cold', afresh, rounds[scale], true)
    return [
      {
        work: 'first page in dev, kit of 1,000, cold; warm',
        against: 'the same page with local files',
        figures: [
          { ...ratio(cold, 'content', 'files'), target: 1.3 },
          { ...ratio(warm, 'content', 'files'), target: 1.1 },
        ],
      },
    ]
  } finally {
    await browser.close()
    service.stop()
    await Promise.all([space, ...projects].map((folder) => folder.remove()))
    await rm(cache, { recursive: true, force: true })
  }
}

/** Starts a dev server and opens its page until the page and its pictures are loaded. */
function page(name: string, browser: Browser, project: Project, script: string): Side {
  return {
    name,
    async run() {
      const context = await browser.newContext()
      const opened = await context.newPage()
      const started = performance.now()
      const server = startScript(script, project.root)
      try {
        await opened.goto(await server.read('url '), { waitUntil: 'load' })
        const wall = performance.now() - started
        const loaded = await opened.evaluate('[...document.images].filter((image) => image.naturalWidth > 0).length')
        if (loaded !== shown) throw new Error(`${name}: ${String(loaded)} pictures instead of ${shown}.`)
        return { wall }
      } finally {
        await context.close()
        await server.stop()
      }
    },
  }
}

/** Pages that display the same pictures, from a kit and from disk. */
function sources(): Record<'content' | 'files', Record<string, string>> {
  const html = '<!doctype html><body><script type="module" src="/main.js"></script></body>'
  return {
    content: {
      'index.html': html,
      'main.js': `import { ${names.join(', ')} } from 'content-space:kit/large'\n${show(names.map((name) => `${name}.src`))}`,
    },
    files: {
      'index.html': html,
      'main.js': names.map((name) => `import ${name} from './${name}.svg'\n`).join('') + show(names),
      ...Object.fromEntries(names.map((name) => [`${name}.svg`, svg(name)])),
    },
  }
}

function show(addresses: readonly string[]): string {
  return `for (const src of [${addresses.join(', ')}]) document.body.append(Object.assign(new Image(), { src }))\n`
}
