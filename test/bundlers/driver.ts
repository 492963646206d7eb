import { once } from 'node:events'
import { mkdir, mkdtemp, readdir, readFile, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, relative, sep } from 'node:path'
import { text } from 'node:stream/consumers'
import { Worker } from 'node:worker_threads'
import type { Options } from '../../src/config/options.js'

/** The settings of a scenario. Drivers translate them into their bundler's options. */
export interface Settings {
  /** The names of source files. Each becomes an entry of the same name with `.js`. */
  entries: string[]
  format: 'es' | 'cjs'
  /** The base of all URLs. With `relative`, a script finds its files relative to itself. */
  publicPath: string
  minify: boolean
  sourcemap: boolean
  /** Whether file names contain a hash. */
  hashes: boolean
  /** Whether to run a development build, in bundlers that have one. */
  development: boolean
}

export const defaults: Settings = {
  entries: ['main.js'],
  format: 'es',
  publicPath: '/static/',
  minify: false,
  sourcemap: false,
  hashes: true,
  development: false,
}

/** One bundler, driven through its JavaScript API with the built package. */
export interface Driver {
  name: string
  /** Builds the entries of a project folder into its `dist`. Rejects if the build fails. */
  build(project: string, options: Options, settings: Settings): Promise<{ log: string[] }>
}

/** A project in a temporary folder. */
export interface Project {
  root: string
  write(files: Record<string, string>): Promise<void>
  remove(): Promise<void>
}

/** The result of a build. */
export interface Output {
  /** Every file by its path with slashes, in sorted order. */
  files: Map<string, Buffer>
  /** The messages of the bundler and the plugin. */
  log: string
  /** Runs an entry in Node in a separate thread, and parses its output as JSON. */
  run(entry?: string): Promise<unknown>
  /** Returns the bytes of the file at a URL of the output. */
  behind(address: string): Buffer
  /** Returns the files that are neither scripts nor source maps. */
  assets(): [string, Buffer][]
}

export async function createProject(files: Record<string, string>): Promise<Project> {
  const root = await realpath(await mkdtemp(join(tmpdir(), 'content-space-')))
  const write = async (more: Record<string, string>): Promise<void> => {
    for (const [path, content] of Object.entries(more)) {
      await mkdir(dirname(join(root, path)), { recursive: true })
      await writeFile(join(root, path), content)
    }
  }
  await write({ 'package.json': '{ "type": "module" }', ...files })
  return { root, write, remove: () => rm(root, { recursive: true, force: true, maxRetries: 3 }) }
}

export async function build(
  driver: Driver,
  project: Pick<Project, 'root'>,
  options: Options,
  settings: Partial<Settings> = {},
): Promise<Output> {
  const lockfile = join(project.root, 'content-space.lock.json')
  const { log } = await driver.build(project.root, { types: false, lockfile, ...options }, { ...defaults, ...settings })
  const dist = join(project.root, 'dist')
  if (settings.format === 'cjs') await writeFile(join(dist, 'package.json'), '{ "type": "commonjs" }')
  const files = await readTree(dist)
  files.delete('package.json')
  return {
    files,
    log: log.join('\n'),
    async run(entry = 'main.js') {
      const thread = new Worker(join(dist, entry), { stdout: true, stderr: true, execArgv: [] })
      const [printed] = await Promise.all([text(thread.stdout), once(thread, 'exit')])
      return JSON.parse(printed) as unknown
    },
    behind(address) {
      const found = [...files].find(([path]) => decodeURIComponent(address).endsWith(path))
      if (!found) throw new Error(`No file of the output has the address ${address}: |${[...files.keys()].join(', ')}`)
      return found[1]
    },
    assets: () => [...files].filter(([path]) => !/\.(?:[cm]?js|map|html|LICENSE\.txt)$/.test(path)),
  }
}

/** Reads every file below a folder. Returns an empty map if the folder is missing. */
export async function readTree(folder: string): Promise<Map<string, Buffer>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => [])
  const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
  const read = await Promise.all(
    paths.map(async (path) => [relative(folder, path).split(sep).join('/'), await readFile(path)] as const),
  )
  return new Map(read.toSorted(([a], [b]) => (a < b ? -1 : 1)))
}
