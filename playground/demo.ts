import { build, createLogger, preview } from 'vite'
import { onStage } from './stage.js'

// Builds the playground for production over HTTP, then serves the result locally. `--once` ends after the build.
await onStage(async (config) => {
  const { logger, summary } = summaryLast()
  const started = performance.now()
  // Vite would warn that the build spends most of its time in this plugin, which is expected here.
  const quiet = { rolldownOptions: { checks: { pluginTimings: false } } }
  await build({ ...config, customLogger: logger, build: quiet })
  const seconds = ((performance.now() - started) / 1000).toFixed(1)
  console.log(['', ...summary, `content-space: built in ${seconds} s`, ''].join('\n'))
  return process.argv.includes('--once') ? undefined : preview({ root: config.root, configFile: false })
})

/** Returns a logger of Vite that keeps the lines of the plugin for the end, because Vite prints a list of all files. */
function summaryLast() {
  const summary: string[] = []
  const logger = createLogger()
  const info = logger.info.bind(logger)
  logger.info = (message, options) => {
    if (message.startsWith('content-space:')) summary.push(message)
    else info(message, options)
  }
  return { logger, summary }
}
