import { build, preview } from 'vite'
import { onStage } from './stage.js'

// A production build of the playground over HTTP, then its result on a local address. `--once` ends after the build.
await onStage(async (config) => {
  const started = performance.now()
  await build(config)
  console.log(`Built in ${((performance.now() - started) / 1000).toFixed(1)} s.`)
  return process.argv.includes('--once') ? undefined : preview({ root: config.root, configFile: false })
})
