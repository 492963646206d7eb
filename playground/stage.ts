import { rmSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { ProgressEvent } from 'unplugin-content-space'
import type { InlineConfig } from 'vite'

/** The server that a script keeps running: Vite's preview or dev server. */
interface Running {
  printUrls(): void
  close(): Promise<void>
}

type Served = typeof import('../src/commands/serve/server.js')

/**
 * Serves `playground/space` and runs a script against the service, with generated credentials and an empty cache. The
 * server that the script returns runs until Ctrl-C. An interrupted script exits with code 130.
 * @param play receives Vite's configuration for the playground with its content over HTTP, the same configuration for
 *   commands, and the uuids of assets whose files have been read so far
 */
export async function onStage(
  play: (
    config: InlineConfig & { root: string },
    env: Record<string, string>,
    used: ReadonlySet<string>,
  ) => Promise<Running | undefined>,
): Promise<void> {
  const interrupted = new Promise<'interrupted'>((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => resolve('interrupted'))
  })
  console.log('Serving the kit of the playground over HTTP …')
  const root = fileURLToPath(new URL('.', import.meta.url))
  const cacheDir = await mkdtemp(join(tmpdir(), 'content-space-playground-'))
  // Remove the cache only at exit, because an interrupted build continues to write to it.
  process.once('exit', () => rmSync(cacheDir, { recursive: true, force: true, maxRetries: 5 }))
  // Load this after the first line of output.
  const { default: contentSpace } = await import('unplugin-content-space/vite')
  const { startServer }: Served = await import(new URL('../build/commands/serve/server.js', import.meta.url).href)
  const server = await startServer({ folder: join(root, 'space') })
  const { url, spaceId, token } = server
  console.log(`The kit is served at ${url}`)

  const used = new Set<string>()
  const onProgress = (event: ProgressEvent): void => {
    if (event.type === 'download') used.add(event.asset)
  }
  const plugins = [contentSpace({ space: url, spaceId, token, cacheDir, onProgress })]
  const env = {
    CONTENT_SPACE_URL: url,
    CONTENT_SPACE_ID: String(spaceId),
    CONTENT_SPACE_TOKEN: token,
    CONTENT_SPACE_CACHE: cacheDir,
  }
  const running = await Promise.race([play({ root, configFile: false, plugins }, env, used), interrupted])
  if (running === 'interrupted') process.exit(130)
  if (running === undefined) process.exit()

  running.printUrls()
  console.log('  Press Ctrl-C to stop.')
  await interrupted
  await running.close()
  await server.close()
  process.exit()
}
