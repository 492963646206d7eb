import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { messageOf } from '../../../src/errors.js'
import type { Options } from '../../../src/config/options.js'
import { createImporter } from '../../../src/importer.js'
import { build, createProject, readTree, type Driver } from '../../bundlers/driver.js'
import { esbuildDriver } from '../../bundlers/drivers/esbuild.js'
import { viteDriver } from '../../bundlers/drivers/vite.js'
import { webpackDriver } from '../../bundlers/drivers/webpack.js'
import { faultServer, type FaultServer } from '../../support/fault-server.js'
import { kitUuid as kit } from '../../support/content-service.js'
import { otherVersion } from './content.js'
import { secret } from '../../support/secret.js'

const other = `content-space:asset/brand@${otherVersion}`

/**
 * The source of a project. The first kind uses everything that modules may contain, the second uses only assets by
 * name.
 */
const whole = `import otherLogo from '${other}/acme-logo?raw'
import otherBadge from '${other}/badge'
import kit, { acmeLogo, bestLogo } from 'content-space:kit/brand'
import cut from 'content-space:asset/brand/acme-logo?cut=eps'
import drawing from 'content-space:asset/brand/best-logo?raw'
import * as tokens from 'content-space:tokens/brand'
import outline from 'content-space:outline/brand'
import badge from 'content-space:asset/brand/badge?preset=form'
console.log(JSON.stringify({ kit, acmeLogo, bestLogo, cut, drawing, tokens, outline, badge, otherLogo, otherBadge }))
`
const names = `import { acmeLogo } from 'content-space:kit/brand'
import badge from 'content-space:asset/brand/badge'
import otherBadge from '${other}/badge'
console.log(JSON.stringify({ acmeLogo, badge, otherBadge }))
`

/** A way to use content: a bundler with a source, or `pull`. */
export interface Tool {
  name: string
  source: string
  run(root: string, options: Options): Promise<Map<string, Buffer>>
}

function bundler(driver: Driver, source: string, name = driver.name): Tool {
  return { name, source, run: async (root, options) => (await build(driver, { root }, options)).files }
}

export const tools: readonly Tool[] = [
  bundler(viteDriver, whole),
  bundler(webpackDriver, names),
  bundler(esbuildDriver, whole),
  bundler(esbuildDriver, names, 'esbuild, names'),
  {
    name: 'pull',
    source: '',
    async run(root, options) {
      const importer = await createImporter(options, { root, mode: 'test', env: {} })
      try {
        await importer.pull({ kits: ['brand', `brand@${otherVersion}`], out: 'dist' })
      } finally {
        await importer.close()
      }
      return readTree(join(root, 'dist'))
    },
  },
]

/** The output of a run, or the error with which it failed. */
export interface Outcome {
  files?: Readonly<Record<string, string>>
  error?: string
  /** The lockfile after the run. */
  lock: string
}

/** A tool's project. Each run starts without output. */
export interface Workplace {
  root: string
  cacheDir: string
  /** The options other than those of the service and the run. */
  options: Options
  /** All options of a run. */
  optionsOf(how: Options): Options
  lock(): Promise<string>
  setLock(text: string): Promise<void>
  /** Removes this machine's cache. */
  clear(): Promise<void>
  run(how: Options): Promise<Outcome>
  remove(): Promise<void>
}

/** @param shared the folder of the cache; by default, a folder in the project */
export async function openWorkplace(tool: Tool, url: string, shared?: string): Promise<Workplace> {
  const project = await createProject({ 'main.js': tool.source })
  const { root } = project
  const lockfile = join(root, 'content-space.lock.json')
  const cacheDir = shared ?? join(root, '.cache')
  const work: Workplace = {
    root,
    cacheDir,
    optionsOf: (how) => ({ space: url, ...secret, rateLimit: false, cacheDir, ...work.options, ...how }),
    options: { kits: { brand: kit }, presets: { form: 'url' } },
    lock: () => readFile(lockfile, 'utf8').catch(() => ''),
    setLock: (text) => writeFile(lockfile, text),
    clear: () => rm(cacheDir, { recursive: true, force: true }),
    async run(how) {
      if (tool.name !== 'pull') await rm(join(root, 'dist'), { recursive: true, force: true })
      const options = {
        space: url,
        ...secret,
        kits: { brand: kit },
        rateLimit: false,
        cacheDir,
        ...work.options,
        ...how,
      } as const
      const outcome = await tool.run(root, options).then(
        (files) => ({ files: Object.fromEntries([...files].map(([path, bytes]) => [path, bytes.toString('latin1')])) }),
        (error: unknown) => ({ error: linesOf(error) }),
      )
      return { ...outcome, lock: await work.lock() }
    },
    remove: () => project.remove(),
  }
  return work
}

/** Runs `content-space update`. */
export async function updateProject(work: Workplace): Promise<void> {
  const host = { root: work.root, mode: 'test', env: {} }
  const importer = await createImporter({ ...work.optionsOf({}), types: false }, host, { rename: false })
  try {
    await importer.sync()
  } finally {
    await importer.close()
  }
}

/** Returns the lines of an error that describe the cause. */
function linesOf(error: unknown): string {
  const lines = messageOf(error)
    .split('\n')
    .filter((line) => !/^(?:Build failed|\s*at |\s*$)/.test(line))
  return lines
    .slice(0, 6)
    .join(' ')
    .replaceAll(/content-space:\S*~\S*/g, '')
}

/** A remote cache over plain HTTP. */
export interface RemoteServer extends FaultServer {
  options: Options
  entries: Map<string, Buffer>
}

export async function startRemote(): Promise<RemoteServer> {
  const entries = new Map<string, Buffer>()
  const server = await faultServer((response, request) => {
    const { url = '', method } = request
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', () => {
      const found = entries.get(url)
      if (method === 'PUT') {
        entries.set(url, Buffer.concat(parts))
        response.writeHead(201).end()
      } else if (found === undefined) response.writeHead(404).end()
      else response.writeHead(200, { 'content-length': found.length }).end(method === 'HEAD' ? undefined : found)
    })
  })
  return {
    ...server,
    entries,
    options: { remote: `${server.url}/cache/`, remoteKey: 'the secret of all runners of this test' },
  }
}
