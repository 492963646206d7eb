import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import contentSpace from 'unplugin-content-space/vite'
import type { InlineConfig } from 'vite'
import { startServer } from '../src/space/server.js'

/** What `demo` and `dev` play on. */
interface Stage {
  /** Address of the REST interface in front of `playground/space`. */
  address: string
  /** Vite's configuration: the playground, reading its content from that address with made-up credentials. */
  config: InlineConfig & { root: string }
  /** Settles when someone presses Ctrl-C. */
  stopped: Promise<void>
}

/** Starts the service, runs a play against it with an empty cache, and clears everything away, also after Ctrl-C. */
export async function onStage(play: (stage: Stage) => Promise<void>): Promise<void> {
  const stopped = new Promise<void>((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => resolve())
  })
  const root = fileURLToPath(new URL('.', import.meta.url))
  const cacheDir = await mkdtemp(join(tmpdir(), 'content-space-playground-'))
  const server = await startServer({ folder: join(root, 'space') })
  const { url, spaceId, token } = server
  const config = {
    root,
    configFile: false,
    plugins: [contentSpace({ space: url, spaceId, token, cacheDir })],
    build: { emptyOutDir: true },
  } satisfies InlineConfig
  try {
    await Promise.race([play({ address: url, config, stopped }), stopped])
  } finally {
    await server.close()
    await rm(cacheDir, { recursive: true, force: true })
  }
}
