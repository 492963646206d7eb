import { onStage } from './stage.js'

// Serves the playground with Vite's dev server, with its content over HTTP.
await onStage(async (config) => {
  const { createServer } = await import('vite')
  const server = await createServer(config)
  return server.listen()
})
