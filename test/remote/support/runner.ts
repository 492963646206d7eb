import { hash } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { rollup } from 'rollup'
import contentSpace from 'unplugin-content-space/rollup'
import type { Options } from 'unplugin-content-space'
import { halves } from '../../support/pictures.js'
import { svg, writeSpace, type SpaceFolder } from '../../support/space.js'

export const key = 'a-key-of-the-remote-cache-of-tests'

export interface Built {
  /** The hash of every emitted file. */
  output: Record<string, string>
  warnings: string[]
  /** The line that contains the totals. */
  summary: string
  /** The duration in milliseconds. */
  time: number
}

export interface Runner {
  root: string
  build(options?: Options): Promise<Built>
  remove(): Promise<void>
}

/** Writes a kit with small drawings that aren't converted, and pictures that need two conversions each. */
export async function kitOf(count: number, pictures = 2): Promise<SpaceFolder> {
  const drawings = Array.from({ length: count - pictures }, (_, at) => [
    `brand/Logos/mark-${at}.svg`,
    svg(`mark ${at}`),
  ])
  const photos = Array.from({ length: pictures }, async (_, at) => [
    `brand/Photos/photo-${at}.png`,
    await halves(40 + at, 30)
      .png()
      .toBuffer(),
  ])
  return writeSpace({
    'space.json': { space_id: 7, name: 'Test' },
    'brand/kit.json': {
      uuid: '3BD9A8C0-1111-4222-8333-444455556666',
      name: 'Brand',
      use_version: 1,
      dates: { updated: '2026-01-02T03:04:05Z' },
      versions: [{ version: 1, version_identifier: '1.0', folder: 'versions/1' }],
    },
    ...prefixed(Object.fromEntries([...drawings, ...(await Promise.all(photos))])),
  })
}

/** Returns the same files for the draft and version 1. */
function prefixed(files: Record<string, string>): Record<string, string> {
  const version = Object.entries(files).map(([path, bytes]) => [path.replace('brand/', 'brand/versions/1/'), bytes])
  return { ...files, ...Object.fromEntries(version) }
}

const source = `import logos from 'content-space:section/brand/logos'
import photos from 'content-space:section/brand/photos?w=16;32&format=webp'
console.log(logos, photos)
`

/**
 * Creates a machine with a copy of a project and its own cache, and with another runner's lockfile if given.
 * @param service the service's options
 */
export async function newRunner(service: Options, remote: Options, lock?: string): Promise<Runner> {
  const root = await mkdtemp(join(tmpdir(), 'content-space-runner-'))
  await writeFile(join(root, 'main.js'), source)
  if (lock !== undefined) await writeFile(join(root, 'content-space.lock.json'), lock)
  return {
    root,
    remove: () => rm(root, { recursive: true, force: true }),
    async build(more = {}) {
      const start = performance.now()
      const logs: string[] = []
      const options: Options = { ...service, types: false, cacheDir: join(root, 'cache'), ...remote, ...more }
      const bundle = await rollup({
        input: join(root, 'main.js'),
        plugins: [contentSpace({ ...options, lockfile: join(root, 'content-space.lock.json') })],
        onLog: (_, { message }) => void logs.push(message),
      })
      const { output } = await bundle.write({ dir: join(root, 'dist'), format: 'es', entryFileNames: 'main.js' })
      await bundle.close()
      const files = output.map((file) => {
        const bytes = file.type === 'chunk' ? file.code : file.source
        return [file.fileName, hash('sha256', bytes)]
      })
      const lines = logs.map((line) => line.replace(/^\[plugin [^\]]+\] /, ''))
      return {
        output: Object.fromEntries(files),
        warnings: lines.filter((line) => /remote/.test(line) && !/downloaded/.test(line)),
        summary: lines.find((line) => /downloaded/.test(line)) ?? '',
        time: performance.now() - start,
      }
    },
  }
}
