import { execFile } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs, promisify } from 'node:util'
import type { Paid } from './paid.js'
import { onStage } from './stage.js'

// Builds the playground for production over HTTP and then serves the result locally. `--once` ends after the build.
// `--out` writes the result and the kit browser to a folder, and ends too.
const { once = false, out } = parseArgs({ options: { once: { type: 'boolean' }, out: { type: 'string' } } }).values

await onStage(async (config, env, used) => {
  const { build, preview } = await import('vite')
  const { logger, summary } = await quietLogger()
  console.log('Building the page for production …')
  const started = performance.now()
  // Vite would warn that the build spends most of its time in this plugin, which is expected here.
  const quiet = { rolldownOptions: { checks: { bundlerTimings: false } }, reportCompressedSize: false }
  const outDir = resolve(out ?? join(config.root, 'dist'))
  await build({
    ...config,
    // The page works in any folder of a server.
    base: './',
    logLevel: 'warn',
    customLogger: logger,
    build: { ...quiet, outDir, emptyOutDir: true },
  })
  const seconds = ((performance.now() - started) / 1000).toFixed(1)
  console.log(['', ...summary, `content-space: built in ${seconds} s`, ''].join('\n'))
  const facts = [...factsIn(summary), `${seconds} s to build`, await unusedFact(config.root, env, used)]
  const page = join(outDir, 'index.html')
  if (once) {
    await writePaid(page, { facts })
    console.log(`The page is ${relative(process.cwd(), page)}. npm run demo serves it.`)
    return undefined
  }
  console.log('Writing the kit browser as a static site …')
  await writeBrowser(config.root, join(outDir, 'kit'), env)
  await writePaid(page, { facts, browser: 'kit/' })
  if (out !== undefined) return undefined
  const server = await preview({ root: config.root, configFile: false })
  return {
    printUrls() {
      server.printUrls()
      console.log(`  ➜  Kit browser: ${server.resolvedUrls?.local[0]}kit/`)
    },
    close: () => server.close(),
  }
})

/** Returns a Vite logger that keeps the plugin's lines and omits the list of all files. */
async function quietLogger() {
  const { createLogger } = await import('vite')
  const summary: string[] = []
  const logger = createLogger('warn')
  logger.info = (message) => {
    if (message.startsWith('content-space:')) summary.push(message)
  }
  return { logger, summary }
}

/** Returns the parts of the summary that state the costs: `45 files from Solvane Brand 1`, `821 kB`. */
function factsIn(summary: readonly string[]): string[] {
  return summary
    .flatMap((line) => line.replace(/^content-space: /, '').split(/[,;] /))
    .filter((fact) => !/downloaded|converted/.test(fact))
}

/** Returns a text about the kit's assets that the page doesn't use: `9 unused: 4 downloads and 5.4 kB saved`. */
async function unusedFact(root: string, env: Record<string, string>, used: ReadonlySet<string>): Promise<string> {
  const { createImporter } = await import('unplugin-content-space')
  // Set the space explicitly, because otherwise it would be the configuration's folder.
  const importer = await createImporter({ metadata: 'full', space: env['CONTENT_SPACE_URL'] ?? '' }, { root, env })
  try {
    const { sections } = await importer.kit('brand')
    const items = sections.flatMap((section) => section.items)
    const carried = items.flatMap((item) =>
      'assets' in item ? item.assets : 'asset' in item ? (item.asset ?? []) : [],
    )
    const assets = new Map(carried.map((asset) => [asset.uuid, asset]))
    const unused = [...assets.values()].filter(({ uuid }) => !used.has(uuid))
    // Colors don't have a file.
    const sizes = unused.flatMap(({ size = 0 }) => (size > 0 ? [size] : []))
    const bytes = sizes.reduce((sum, size) => sum + size, 0)
    return `${unused.length} unused: ${sizes.length} downloads and ${(bytes / 1000).toFixed(1)} kB saved`
  } finally {
    await importer.close()
  }
}

/** Writes the build's costs into the page, because they aren't known until after the build. */
async function writePaid(path: string, paid: Paid): Promise<undefined> {
  const page = await readFile(path, 'utf8')
  const json = JSON.stringify(paid).replaceAll('<', '\\u003c')
  await writeFile(
    path,
    page.replace(/(<script type="application\/json" id="paid-facts">)null/, (_, tag: string) => tag + json),
  )
}

/** Writes the kit as a static site, like `content-space browse brand --out <folder>`. */
async function writeBrowser(root: string, folder: string, env: Record<string, string>): Promise<void> {
  const command = fileURLToPath(new URL('../dist/cli/bin.js', import.meta.url))
  const args = [command, 'browse', 'brand', '--out', folder]
  await promisify(execFile)(process.execPath, args, { cwd: root, env: { ...process.env, ...env } })
}
