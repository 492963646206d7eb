import { readFileSync } from 'node:fs'
import module from 'node:module'
import { Worker } from 'node:worker_threads'
import { attempt } from '../../async/attempt.js'
import { messageOf } from '../../errors.js'
import { integrityOf } from '../../disk/content.js'
import type { openPicture } from './make-picture.js'
import type { Failure } from './problem.js'
import type { Batch, ChildTask, Input, Preparation, Reply } from './protocol.js'
import { limitTime, type Phase } from './watchdog.js'

// The entry of a child process, which `child-process.ts` starts. Hostile input can crash or block only this process.
process.on('message', (message: Batch | Preparation) => void ('tasks' in message ? run(message) : prepare(message)))
// `process.exit()` would wait until libvips has encoded a picture, which can take minutes.
process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'))

function send(reply: Reply): void {
  process.send?.(reply)
}

async function run({ input, threads, tasks }: Batch): Promise<void> {
  const bytes = readInput(input)
  if (bytes === undefined) return send({ type: 'damaged' })
  const runTask = taskRunner(bytes, threads)
  for (const [index, task] of tasks.entries()) {
    try {
      send({ type: 'done', index, ...(await runTask(task)) })
    } catch (error) {
      send({ type: 'failed', index, ...(await failureOf(task, error, bytes)) })
    } finally {
      limitTime(undefined)
      watchdog?.postMessage(undefined, [])
    }
  }
  // Node would write compiled code when this process exits, but the process is always killed.
  const { flushCompileCache }: { flushCompileCache?: () => void } = Object(module)
  flushCompileCache?.()
}

const code = {
  raster: () => import('./with-sharp.js'),
  svg: () => import('./drawing.js'),
  check: () => import('../svg/check.js'),
}

/** Loads the code of a task. Ignores errors, because the task loads the same code and will report them. */
async function prepare({ kind }: Preparation): Promise<void> {
  await code[kind]().catch(() => {})
}

/**
 * Reads the source into memory. Decoders never get a path, because an SVG could then read the files beside it.
 * @returns undefined if the file doesn't match its hash
 */
function readInput(input: Input): Buffer | undefined {
  if ('bytes' in input) return Buffer.from(input.bytes.buffer, input.bytes.byteOffset, input.bytes.byteLength)
  const bytes = attempt(() => readFileSync(input.path))
  return bytes && integrityOf(bytes) === input.integrity ? bytes : undefined
}

/** Returns a function that runs tasks on a source. Consecutive tasks share the decoded picture. */
function taskRunner(
  bytes: Buffer,
  threads: number,
): (task: ChildTask) => Promise<{ bytes: Uint8Array; notes?: string[] }> {
  let picture: ReturnType<typeof openPicture> | undefined
  return async (task) => {
    switch (task.kind) {
      case 'svg': {
        // Load code before the time limit starts, because the limit is meant for the input.
        const [{ makeDrawing }, makeIcon] = await Promise.all([
          import('./drawing.js'),
          task.icon === true ? import('../svg/icon.js').then(({ openIconMaker }) => openIconMaker()) : undefined,
        ])
        limitBlocking('rewriting')
        const { svg, notes } = await makeDrawing(bytes, task, () => {
          // The remaining work doesn't block this thread, so the watchdog isn't needed.
          watchdog?.postMessage(undefined, [])
          limitTime('decoding')
        })
        if (makeIcon === undefined) return { bytes: svg, notes }
        const icon = makeIcon(Buffer.from(svg).toString(), task.policy !== 'trust')
        return { bytes: Buffer.from(JSON.stringify(icon)), notes }
      }
      case 'check': {
        const { prefix } = task
        // Checking an SVG that is inlined in a page needs more code.
        const find =
          prefix === undefined
            ? (await import('../svg/check.js')).findActive
            : (await import('../svg/check-page.js')).findInPage
        // Checking a small SVG takes less than a second, and starting a thread takes longer than checking an icon.
        if (bytes.length > quicklyChecked) limitBlocking('checking')
        return { bytes: Buffer.from(JSON.stringify(find(bytes, prefix ?? ''))) }
      }
      default: {
        const { checkDecodes, openPicture } = await import('./with-sharp.js')
        limitTime('decoding')
        if (task.kind === 'decode') {
          await checkDecodes(bytes)
          return { bytes: new Uint8Array() }
        }
        picture ??= openPicture(bytes, threads)
        return { bytes: await picture(task, () => limitTime('encoding')) }
      }
    }
  }
}

/** The size in bytes up to which an SVG is checked without a time limit. */
const quicklyChecked = 256 * 1024

let watchdog: Worker | undefined

/**
 * Limits the time of a phase from another thread. SVG is processed synchronously, so this thread can neither measure
 * its time nor notice that its parent has ended.
 */
function limitBlocking(phase: Phase): void {
  if (!watchdog) {
    watchdog = new Worker(new URL('./watchdog.js', import.meta.url), { workerData: process.ppid })
    watchdog.unref()
  }
  watchdog.postMessage(phase, [])
}

async function failureOf(task: ChildTask, error: unknown, bytes: Buffer): Promise<Failure> {
  if (task.kind === 'svg' || task.kind === 'check') return { reason: messageOf(error) }
  const { explainFailure } = await import('./problem.js')
  return explainFailure(error, bytes)
}
