import { createServer } from 'vite'
import { onStage } from './stage.js'

// The playground in Vite's dev server, its content over HTTP.
await onStage(async ({ address, config, stopped }) => {
  console.log(`The space of the playground is served at ${address}`)
  const server = await createServer(config)
  await server.listen()
  server.printUrls()
  console.log('  Press Ctrl-C to stop.')
  await stopped
  await server.close()
})
process.exit()
