import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { kitUuid } from '../support/content-service.js'
import { secret } from '../support/secret.js'
import { emptyLock, filesIn } from './bench.js'

const cli = fileURLToPath(new URL('../../dist/cli/bin.js', import.meta.url))
/** Writes the peak of resident memory in kilobytes when the process ends. */
const watch = `data:text/javascript,${encodeURIComponent("import { writeFileSync } from 'node:fs'; process.on('exit', () => writeFileSync(process.env.PEAK, String(process.resourceUsage().maxRSS)))")}`

export interface Measured {
  code: unknown
  stderr: string
  /** Seconds from start to end, or from the interrupt to the end. */
  seconds: number
  /** The peak of resident memory. */
  megabytes: number
  /** The files in the project without its cache and configuration. */
  left: string[]
  lock: string
}

/**
 * Pulls the kit of a service with the built command line in a new project.
 * @param interrupt when to send SIGINT; by default, the command runs to its end
 */
export async function pullMeasured(url: string, args: string[] = [], interrupt?: Promise<unknown>): Promise<Measured> {
  const root = await realpath(await mkdtemp(join(tmpdir(), 'content-space-measured-')))
  const [config, lockfile, peak] = [
    join(root, 'content-space.config.json'),
    join(root, 'content-space.lock.json'),
    join(root, 'peak'),
  ]
  try {
    await writeFile(config, JSON.stringify({ kits: { brand: kitUuid }, timeout: 5000 }))
    await writeFile(lockfile, emptyLock)
    let start = performance.now()
    const child = spawn(process.execPath, ['--import', watch, cli, 'pull', 'brand', '--out', 'content', ...args], {
      cwd: root,
      env: {
        PATH: process.env['PATH'],
        PEAK: peak,
        CONTENT_SPACE_CACHE: join(root, '.cache'),
        CONTENT_SPACE_URL: url,
        CONTENT_SPACE_ID: String(secret.spaceId),
        CONTENT_SPACE_TOKEN: secret.token,
      },
      stdio: ['ignore', 'ignore', 'pipe'],
      timeout: 100_000,
      killSignal: 'SIGKILL',
    })
    const ended = once(child, 'close').then(([code]: unknown[]) => code)
    void interrupt?.then(() => {
      start = performance.now()
      child.kill('SIGINT')
    })
    const stderr = await text(child.stderr)
    const code = await ended
    const seconds = (performance.now() - start) / 1000
    const files = await filesIn(root)
    const left = files.filter(
      (path) => !path.startsWith('.cache/') && !/^(peak|content-space\.(config|lock)\.json)$/.test(path),
    )
    const megabytes = Number(await readFile(peak, 'utf8').catch(() => 'NaN')) / 1024
    return { code, stderr, seconds, megabytes, left, lock: await readFile(lockfile, 'utf8') }
  } finally {
    await rm(root, { recursive: true, force: true })
  }
}
