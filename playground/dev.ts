import { createServer } from 'vite'
import { onStage } from './stage.js'

// The playground in Vite's dev server, its content over HTTP.
await onStage(async (config) => {
  const server = await createServer(config)
  return server.listen()
})
