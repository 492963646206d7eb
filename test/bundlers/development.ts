import type { BuildOptions } from 'esbuild'
import contentSpaceEsbuild from 'unplugin-content-space/esbuild'
import contentSpaceVite from 'unplugin-content-space/vite'
import { createLogger, createServer, type ViteDevServer } from 'vite'
import type { Options } from '../../src/config/options.js'

export interface Development {
  server: ViteDevServer
  /** Returns everything that was logged. */
  log(this: void): string
  get(this: void, path: string): Promise<Response>
}

/** Starts Vite's dev server in a project. */
export async function startVite(root: string, options: Options): Promise<Development> {
  const lines: string[] = []
  const say = (message: string): void => void lines.push(message)
  const server = await createServer({
    root,
    configFile: false,
    customLogger: { ...createLogger(), info: say, warn: say, error: say },
    plugins: [contentSpaceVite(options)],
    server: { host: '127.0.0.1', port: 0 },
  })
  await server.listen()
  return {
    server,
    log: () => lines.join('\n'),
    get: (path) => fetch(new URL(path, server.resolvedUrls?.local[0])),
  }
}

/** Returns esbuild's settings to build a project's `main.js`. */
export function esbuildSettings(root: string, options: Options) {
  return {
    absWorkingDir: root,
    entryPoints: ['main.js'],
    bundle: true,
    format: 'esm',
    outdir: 'dist',
    logLevel: 'silent',
    plugins: [contentSpaceEsbuild(options)],
  } satisfies BuildOptions
}
