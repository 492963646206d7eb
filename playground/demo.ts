import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { onStage } from './stage.js'

// Builds the playground for production over HTTP, then serves the result locally. `--once` ends after the build.
await onStage(async (config) => {
  const { build, preview } = await import('vite')
  const { logger, summary } = await quietLogger()
  console.log('Building the page for production …')
  const started = performance.now()
  // Vite would warn that the build spends most of its time in this plugin, which is expected here.
  const quiet = { rolldownOptions: { checks: { pluginTimings: false } }, reportCompressedSize: false }
  await build({ ...config, logLevel: 'warn', customLogger: logger, build: quiet })
  const seconds = ((performance.now() - started) / 1000).toFixed(1)
  console.log(['', ...summary, `content-space: built in ${seconds} s`, ''].join('\n'))
  await writeFacts(join(config.root, 'dist/index.html'), [...factsIn(summary), `${seconds} s to build`])
  return process.argv.includes('--once') ? undefined : preview({ root: config.root, configFile: false })
})

/** Returns a logger of Vite that keeps the lines of the plugin, and leaves out the list of all files. */
async function quietLogger() {
  const { createLogger } = await import('vite')
  const summary: string[] = []
  const logger = createLogger('warn')
  logger.info = (message) => {
    if (message.startsWith('content-space:')) summary.push(message)
  }
  return { logger, summary }
}

/** Returns what was paid for, in the words of the summary: `41 of 50 assets used`, `821 kB`, `45 files`, `51 requests`. */
function factsIn(summary: readonly string[]): string[] {
  return summary
    .flatMap((line) => line.replace(/^content-space: (?:.*: )?/, '').split(', '))
    .filter((fact) => !fact.includes(' downloaded '))
}

/** Puts the facts into the page, which shows them. They are known only after the build. */
async function writeFacts(path: string, facts: readonly string[]): Promise<void> {
  const page = await readFile(path, 'utf8')
  const json = JSON.stringify({ facts }).replaceAll('<', '\\u003c')
  await writeFile(
    path,
    page.replace(/(<script type="application\/json" id="paid-facts">)null/, (_, tag: string) => tag + json),
  )
}
