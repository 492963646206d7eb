import { build, createLogger, preview } from 'vite'
import { onStage } from './stage.js'

// A production build of the playground over HTTP, then its result on a local address. `--once` ends after the build.
await onStage(async (config) => {
  const { logger, summary } = summaryLast()
  const started = performance.now()
  // Vite would warn that the build spends its time on content, which is all that there is.
  const quiet = { rolldownOptions: { checks: { pluginTimings: false } } }
  await build({ ...config, customLogger: logger, build: quiet })
  const seconds = ((performance.now() - started) / 1000).toFixed(1)
  console.log(['', ...summary, `content-space: built in ${seconds} s`, ''].join('\n'))
  return process.argv.includes('--once') ? undefined : preview({ root: config.root, configFile: false })
})

/** Vite's logger, but for the lines of the plugin, which are kept for the end: Vite lists every file behind them. */
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
