import { mkdtemp, readdir, readFile, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { inspect } from 'node:util'
import { expect } from 'vitest'
import { ContentSpaceError } from '../../src/errors.js'
import type { PullOptions } from '../../src/commands/pull/options.js'
import type { PullReport } from '../../src/commands/pull/run.js'
import { openEngine, type Engine } from '../../src/engine/engine.js'
import { importerOf, type Importer } from '../../src/importer.js'
import { formatLock } from '../../src/lock/format.js'
import type { Options } from '../../src/config/options.js'
import { readAddress } from '../../src/space/http/credentials.js'
import { httpSpace, type HttpOptions } from '../../src/space/http/client.js'
import type { Space } from '../../src/space/space.js'
import { project, type Project } from '../support/cli.js'
import { kitUuid } from '../support/content-service.js'
import { faultServer, rawServer, type FaultServer, type RawServer, type Respond } from '../support/fault-server.js'
import { holdsSecret, secret } from '../support/secret.js'

type Clock = NonNullable<HttpOptions['clock']>

/** The result of a pull through the command line. */
interface Ran {
  code: unknown
  stdout: string
  stderr: string
  /** The paths below `content`, sorted. */
  written: string[]
}

interface OpenedImporter extends Importer {
  engine: Engine
  root: string
  cacheDir: string
}

/**
 * The real components with which one row of the catalogue works. Closing it stops everything that it has started. It
 * records all output.
 */
export interface Bench {
  serve(respond: Respond, now?: () => number): Promise<FaultServer>
  rawServe(connected: Parameters<typeof rawServer>[0]): Promise<RawServer>
  /** Opens the HTTP client of a service, with the token. */
  open(url: string, more?: Partial<HttpOptions>): Promise<{ space: Space; warnings: string[]; cacheDir: string }>
  /** Returns the error with which `work` fails. The row fails unless it is a `ContentSpaceError`. */
  failure(this: void, work: Promise<unknown>): Promise<ContentSpaceError>
  folder(): Promise<string>
  /** Opens an importer for the kit `brand`, with its own lockfile, cache, and declarations in `root`. */
  importer(url: string, options?: Options, root?: string): Promise<OpenedImporter>
  /** Pulls the kit into `content` with a new importer. */
  pull(
    url: string,
    options?: Options,
    wanted?: Partial<PullOptions>,
    root?: string,
  ): Promise<PullReport & { root: string }>
  /**
   * Opens a project for the command line, with the kit `brand`, an empty lockfile, and the token in the environment.
   */
  project(url: string, files?: Record<string, string>): Promise<Project>
  /** Runs `content-space pull brand --out content` in a project. */
  run(work: Project, ...args: string[]): Promise<Ran>
  /**
   * Asserts that a pull through the command line fails with exit code 1, without a stack or files, and leaves the
   * lockfile unchanged.
   */
  refused(url: string, ...args: string[]): Promise<string>
  /** Records output in which to search for the token. */
  said(text: string): void
  /**
   * Stops everything.
   * @returns where the token was found
   */
  close(): Promise<string[]>
}

export const emptyLock = formatLock({ space: '7', kits: {} })

export function openBench(): Bench {
  const ends: (() => unknown)[] = []
  const folders: string[] = []
  const texts: string[] = []
  const said = (text: string): void => void texts.push(text)

  async function serve<T extends { close(this: void): Promise<void> }>(starting: Promise<T>): Promise<T> {
    const server = await starting
    ends.push(server.close)
    return server
  }

  async function folder(): Promise<string> {
    const path = await realpath(await mkdtemp(join(tmpdir(), 'content-space-fault-')))
    folders.push(path)
    return path
  }

  async function failure(work: Promise<unknown>): Promise<ContentSpaceError> {
    const error: unknown = await work.then(
      (value) => new TypeError(`expected a failure, not ${inspect(value)}`),
      (reason: unknown) => reason,
    )
    said(`${inspect(error, { depth: 12, showHidden: true })}\n${JSON.stringify(error)}`)
    if (!(error instanceof ContentSpaceError)) throw new TypeError('expected a ContentSpaceError', { cause: error })
    said(`${error.message}\n${error.stack}`)
    return error
  }

  const bench: Bench = {
    serve: (respond, now) => serve(faultServer(respond, now)),
    rawServe: (connected) => serve(rawServer(connected)),
    async open(url, more = {}) {
      const cacheDir = await folder()
      const warnings: string[] = []
      const space = httpSpace({
        ...readAddress(url, secret.spaceId, secret.token),
        timeout: 2000,
        concurrency: 8,
        rateLimit: false,
        insecure: false,
        strict: false,
        cacheDir,
        warn: (message) => [warnings.push(message), said(message)],
        onRequest: () => {},
        onWait: () => {},
        ...more,
      })
      ends.push(() => space.close())
      return { space, warnings, cacheDir }
    },
    failure,
    folder,
    async importer(url, options = {}, root) {
      const place = root ?? (await folder())
      const given: Options = {
        space: url,
        ...secret,
        kits: { brand: kitUuid },
        cacheDir: 'cache',
        rateLimit: false,
        timeout: 2000,
        onProgress: (event) => said(JSON.stringify(event)),
        ...options,
      }
      const engine = await openEngine(given, { root: place, mode: 'test', env: {} })
      ends.push(engine.close)
      return { ...importerOf(engine), engine, root: place, cacheDir: join(place, 'cache') }
    },
    async pull(url, options = {}, wanted = {}, place) {
      const { root, ...importer } = await bench.importer(url, options, place)
      try {
        const report = await importer.pull({ kits: 'brand', out: 'content', ...wanted })
        said(JSON.stringify(report))
        return { ...report, root }
      } finally {
        await importer.close()
      }
    },
    async project(url, files = {}) {
      const config = JSON.stringify({ kits: { brand: kitUuid }, timeout: 2000 })
      const work = await project(
        { 'content-space.config.json': config, 'content-space.lock.json': emptyLock, ...files },
        { CONTENT_SPACE_URL: url, CONTENT_SPACE_ID: String(secret.spaceId), CONTENT_SPACE_TOKEN: secret.token },
      )
      folders.push(work.root)
      return work
    },
    async run(work, ...args) {
      const ran = await work.run('pull', 'brand', '--out', 'content', ...args)
      said(ran.stdout + ran.stderr)
      return { ...ran, written: await filesIn(join(work.root, 'content')) }
    },
    async refused(url, ...args) {
      const work = await bench.project(url)
      const { code, stderr, written } = await bench.run(work, ...args)
      expect({ code, written }).toEqual({ code: 1, written: [] })
      expect(await readdir(work.root)).not.toContain('content')
      expect(stderr).not.toMatch(/^ {4}at /m)
      expect(stderr).not.toBe('')
      expect(await readFile(join(work.root, 'content-space.lock.json'), 'utf8')).toBe(emptyLock)
      return stderr
    },
    said,
    async close() {
      for (const end of ends.toReversed()) await end()
      const leaks = texts.filter(holdsSecret).map((text) => `said: ${text.slice(0, 300)}`)
      for (const path of folders) leaks.push(...(await leaksIn(path)))
      await Promise.all(folders.map((path) => rm(path, { recursive: true, force: true })))
      return leaks
    },
  }
  return bench
}

/** Returns a clock that only `sleep` advances, almost without a real wait. */
export function fastClock(start = Date.now()): Clock & { passed(): number } {
  let time = start
  return {
    now: () => time,
    passed: () => time - start,
    async sleep(milliseconds, signal) {
      const until = time + milliseconds
      // Let other callers start their own sleep first.
      await sleep(10, undefined, { signal }).catch(() => {})
      if (!signal.aborted) time = Math.max(time, until)
    },
  }
}

/** Returns a clock whose `sleep` returns immediately, for one caller at a time. */
export function instantClock(): Clock {
  let time = Date.now()
  return { now: () => time, sleep: async (milliseconds) => void (time += milliseconds) }
}

/** Returns the paths of the files in a folder with `/`, sorted. */
export async function filesIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => [])
  const files = entries.filter((entry) => !entry.isDirectory())
  return files
    .map((entry) =>
      join(entry.parentPath, entry.name)
        .slice(folder.length + 1)
        .replaceAll('\\', '/'),
    )
    .toSorted()
}

/** Returns the entries that downloads have left in a cache. */
export async function cached(cacheDir: string): Promise<string[]> {
  return (await filesIn(cacheDir)).filter((path) => path.includes('content-v'))
}

/** Returns where a folder contains the token: paths and file contents. */
export async function leaksIn(folder: string): Promise<string[]> {
  const leaks: string[] = []
  for (const path of await filesIn(folder)) {
    const bytes = await readFile(join(folder, path)).catch(() => Buffer.alloc(0))
    if (holdsSecret(path) || holdsSecret(bytes)) leaks.push(join(folder, path))
  }
  return leaks
}

/** Writes files into a folder. */
export async function write(folder: string, files: Record<string, string | Uint8Array>): Promise<void> {
  for (const [path, content] of Object.entries(files)) await writeFile(join(folder, path), content)
}
