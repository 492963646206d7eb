import { rmSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import contentSpace from 'unplugin-content-space/vite'
import type { InlineConfig } from 'vite'
import { startServer } from '../src/commands/serve/server.js'

/** What is left running at the end of a play: Vite's preview, or its dev server. */
interface Running {
  printUrls(): void
  close(): Promise<void>
}

/**
 * Starts the service in front of `playground/space` and runs a play against it, with made-up credentials and an empty
 * cache. What the play leaves running goes on until Ctrl-C; a play that is interrupted exits with 130.
 * @param play gets Vite's configuration: the playground, with its content over HTTP
 */
export async function onStage(
  play: (config: InlineConfig & { root: string }) => Promise<Running | undefined>,
): Promise<void> {
  const interrupted = new Promise<'interrupted'>((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => resolve('interrupted'))
  })
  const root = fileURLToPath(new URL('.', import.meta.url))
  const cacheDir = await mkdtemp(join(tmpdir(), 'content-space-playground-'))
  // Not earlier: a build that is interrupted goes on writing.
  process.once('exit', () => rmSync(cacheDir, { recursive: true, force: true, maxRetries: 5 }))
  const server = await startServer({ folder: join(root, 'space') })
  const { url, spaceId, token } = server
  console.log(`The space of the playground is served at ${url}`)

  const plugins = [contentSpace({ space: url, spaceId, token, cacheDir })]
  const running = await Promise.race([play({ root, configFile: false, plugins }), interrupted])
  if (running === 'interrupted') process.exit(130)
  if (running === undefined) process.exit()

  running.printUrls()
  console.log('  Press Ctrl-C to stop.')
  await interrupted
  await running.close()
  await server.close()
  process.exit()
}
