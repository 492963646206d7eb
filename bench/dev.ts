import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium, type Browser } from 'playwright-core'
import contentSpace from 'unplugin-content-space/vite'
import { createServer, type Plugin } from 'vite'
import { startServer } from '../src/commands/serve/server.js'
import { createBuildImporter } from '../src/importer.js'
import { inTurn, ratio, timed, type Side } from './compare.js'
import { repository } from './process.js'
import type { Row, Scale } from './report.js'

const rounds = { full: 9, quick: 3 }

/**
 * Compares the first page of the playground in a new dev server: with its content from a service, and with modules and
 * files that were written before. Caches of the plugin and of Vite are warm, and that of the browser is empty.
 */
export async function compareDev(scale: Scale): Promise<Row[]> {
  const work = await mkdtemp(join(tmpdir(), 'content-space-bench-'))
  const service = await startServer({ folder: join(repository, 'playground/space') })
  const browser = await chromium.launch({
    executablePath: '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-gpu'],
  })
  const { url: space, spaceId, token } = service
  const options = { space, spaceId, token, cacheDir: join(work, 'cache') }
  try {
    const [live, local] = [await copyPlayground(join(work, 'live')), await copyPlayground(join(work, 'local'))]
    const importer = await createBuildImporter(options, { root: local })
    const { modules } = await importer.writeModules({ folder: 'bench', module: 'url' })
    await importer.close()
    const files: Plugin = { name: 'files', enforce: 'pre', resolveId: (id) => modules.get(id) }
    const measured = await inTurn(
      [page('plugin', browser, live, () => contentSpace(options)), page('files', browser, local, () => files)],
      rounds[scale],
      true,
    )
    return [
      {
        work: 'first page in dev, warm',
        against: 'the same page with local files',
        figures: [{ now: ratio(measured, 'plugin', 'files'), target: 1.1 }],
      },
    ]
  } finally {
    await browser.close()
    await service.close()
    await rm(work, { recursive: true, force: true })
  }
}

async function copyPlayground(root: string): Promise<string> {
  await cp(join(repository, 'playground'), root, { recursive: true })
  await cp(join(repository, 'tsconfig.json'), join(root, '../tsconfig.json'))
  await mkdir(join(root, 'node_modules'))
  await symlink(repository, join(root, 'node_modules/unplugin-content-space'))
  await symlink(join(repository, 'node_modules/preact'), join(root, 'node_modules/preact'))
  // The loader of this script cannot load the package a second time, for the configuration.
  const config = join(root, 'content-space.config.ts')
  const text = await readFile(config, 'utf8')
  await writeFile(config, text.replace(/^import .*$/m, '').replace('defineConfig(', '('))
  return root
}

/** Starts a dev server and opens its page, until the page and its pictures are loaded. */
function page(name: string, browser: Browser, root: string, plugin: () => Plugin | Plugin[]): Side {
  return {
    name,
    async run() {
      const context = await browser.newContext()
      const shown = await context.newPage()
      const failures: string[] = []
      shown.on('pageerror', ({ message }) => void failures.push(message))
      shown.on('response', (response) => {
        if (response.status() >= 400) failures.push(`${response.status()} ${response.url()}`)
      })
      const server = await createServer({
        root,
        configFile: false,
        logLevel: 'error',
        cacheDir: join(root, '.vite'),
        plugins: [plugin()],
        server: { host: '127.0.0.1', port: 0, fs: { strict: false } },
      })
      try {
        await server.listen()
        const usage = await timed(() => shown.goto(server.resolvedUrls?.local[0] ?? '', { waitUntil: 'load' }))
        if (failures.length > 0) throw new Error(`${name}: ${failures.join()}`)
        return usage
      } finally {
        await context.close()
        await server.close()
      }
    },
  }
}
