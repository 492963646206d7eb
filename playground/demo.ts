import { build, preview } from 'vite'
import { onStage } from './stage.js'

// A production build of the playground over HTTP, then its result on a local address. `--once` ends after the build.
await onStage(async ({ address, config, stopped }) => {
  console.log(`The space of the playground is served at ${address}`)
  const started = performance.now()
  await build(config)
  console.log(`Built in ${((performance.now() - started) / 1000).toFixed(1)} s.`)
  if (process.argv.includes('--once')) return

  const server = await preview({ root: config.root, configFile: false })
  server.printUrls()
  console.log('  Press Ctrl-C to stop.')
  await stopped
  await server.close()
})
process.exit()
