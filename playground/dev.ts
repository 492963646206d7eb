import { createServer } from 'vite'
import { onStage } from './stage.js'

// Serves the playground with Vite's dev server, with its content over HTTP.
await onStage(async (config) => {
  const server = await createServer(config)
  return server.listen()
})
