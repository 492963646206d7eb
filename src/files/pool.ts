import { fork, type ChildProcess } from 'node:child_process'
import { createRequire } from 'node:module'
import { availableParallelism, constants, setPriority } from 'node:os'
import type { Answer, Order } from './convert.js'

/** Conversions in processes of their own, as many at a time as there are cores. */
export interface Pool {
  /**
   * @param order called when it is its turn, so that what waits holds no bytes
   * @throws Error with a reason in words; the caller knows what it is about
   */
  convert(this: void, order: () => Promise<Order>): Promise<Uint8Array>
  close(): void
}

/** Milliseconds by what was heard last. Decoding is what hostile input makes slow; encoding depends on the size asked for. */
const limits = { sent: 60_000, begun: 8_000, decoded: 120_000 }

/** The built file, also when this one runs from source: Node cannot start a child from TypeScript. */
const script = createRequire(import.meta.url).resolve('#convert')

/** A conversion sees no secret: all that libraries need is where things are. */
const passed = ['PATH', 'SystemRoot', 'TEMP', 'TMP', 'TMPDIR', 'HOME', 'LANG', 'LD_LIBRARY_PATH', 'FONTCONFIG_PATH', 'FONTCONFIG_FILE']

/**
 * A child that crashes, hangs or is killed takes one conversion with it and is replaced.
 * Children yield to the bundler, keep nobody alive while they idle, and end with their parent.
 */
export function openPool(size = Math.min(8, availableParallelism())): Pool {
  const idle: ChildProcess[] = []
  const all = new Set<ChildProcess>()
  const waiting: (() => void)[] = []
  let running = 0

  async function turn(): Promise<void> {
    if (running >= size) await new Promise<void>((resolve) => waiting.push(resolve))
    else running++
  }

  function over(): void {
    const next = waiting.shift()
    if (next) next()
    else running--
  }

  function take(): ChildProcess {
    const child = idle.pop() ?? start()
    child.ref()
    child.channel?.ref()
    return child
  }

  function start(): ChildProcess {
    const env = Object.fromEntries(passed.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]])))
    const child = fork(script, { env, execArgv: ['--max-old-space-size=1024'], serialization: 'advanced', stdio: ['ignore', 'ignore', 'ignore', 'ipc'] })
    all.add(child)
    // A broken channel is told to whoever waits for an answer, and must not end us where nobody does.
    child.on('error', () => {})
    child.once('exit', () => {
      all.delete(child)
      const place = idle.indexOf(child)
      if (place !== -1) idle.splice(place, 1)
    })
    try {
      if (child.pid !== undefined) setPriority(child.pid, constants.priority.PRIORITY_BELOW_NORMAL)
    } catch {
      // It ran already and ended, or the system has no priorities.
    }
    return child
  }

  function give(child: ChildProcess): void {
    if (child.killed || !all.has(child)) return
    child.unref()
    child.channel?.unref()
    idle.push(child)
  }

  return {
    async convert(order) {
      await turn()
      try {
        const work = await order()
        const child = take()
        try {
          return await ask(child, work)
        } finally {
          give(child)
        }
      } finally {
        over()
      }
    },
    close() {
      for (const child of all) child.kill('SIGKILL')
    },
  }
}

/** One order, one answer. A child that has failed to answer in time is killed. */
function ask(child: ChildProcess, order: Order): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    let timer = setTimeout(late, limits.sent)
    function late(): void {
      fail('it takes too long')
      child.kill('SIGKILL')
    }
    function end(): void {
      clearTimeout(timer)
      child.off('message', hear)
      child.off('exit', leave)
      child.off('error', broken)
    }
    function fail(reason: string): void {
      end()
      reject(new Error(reason))
    }
    function hear(answer: Answer): void {
      if (answer.type === 'failed') return fail(answer.reason)
      if (answer.type === 'done') {
        end()
        return resolve(answer.bytes)
      }
      clearTimeout(timer)
      timer = setTimeout(late, limits[answer.type])
    }
    function leave(code: number | null, signal: string | null): void {
      fail(`the process that converts it ended (${signal ?? code ?? 'unknown'})`)
    }
    function broken(): void {
      fail('the process that converts it ended (its channel is closed)')
    }
    child.on('message', hear)
    child.once('exit', leave)
    child.once('error', broken)
    child.send(order)
  })
}
