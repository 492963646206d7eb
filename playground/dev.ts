import { onStage } from './stage.js'

// Serves the playground with Vite's dev server, with its content coming over HTTP.
await onStage(async (config) => {
  const { createServer } = await import('vite')
  const server = await createServer(config)
  await server.listen()
  return {
    printUrls() {
      server.printUrls()
      console.log(`  ➜  Kit browser: ${server.resolvedUrls?.local[0]}__content-space/`)
    },
    close: () => server.close(),
  }
})
