import type { Request } from '../../request/request.js'

/** Tells what a bundler waits for when something takes longer than a second. */
export interface Waiting {
  /**
   * Returns the result of a step.
   * @param from where the step gets its content from: an origin or a folder
   * @param what the step gets
   */
  during<T>(from: string, what: string, step: () => Promise<T>): Promise<T>
}

/** Seconds after the start of a step at which a line is printed if it has not ended. */
const mentions = [1, 3, 10, 30, 60, 120, 300]

/** Mentions the oldest of several steps, which the others usually wait for too. @param say prints a line */
export function createWaiting(say: (line: string) => void): Waiting {
  const steps = new Set<{ text: string; from: string; started: number }>()
  let timer: NodeJS.Timeout | undefined
  let mentioned = 0

  function mention(): void {
    const [oldest] = steps
    if (oldest === undefined) return
    const seconds = secondsSince(oldest.started)
    const due = mentions.filter((one) => one <= seconds).length
    if (due > mentioned) say(`content-space: waiting for ${oldest.text}, ${seconds} s)`)
    mentioned = Math.max(mentioned, due)
  }

  function finish(step: { from: string; started: number }, isDone: boolean): void {
    if (steps.size > 0) return
    clearInterval(timer)
    timer = undefined
    if (mentioned > 0 && isDone) say(`content-space: ${step.from} answered after ${secondsSince(step.started)} s`)
    mentioned = 0
  }

  return {
    async during(from, what, run) {
      const step = { text: `${from} (${what}`, from, started: Date.now() }
      steps.add(step)
      timer ??= setInterval(mention, 500).unref()
      let isDone = false
      try {
        const result = await run()
        isDone = true
        return result
      } finally {
        steps.delete(step)
        // An error says itself what has happened.
        finish(step, isDone)
      }
    },
  }
}

function secondsSince(time: number): number {
  return Math.round((Date.now() - time) / 1000)
}

/** Returns what a request asks for, in a few words. */
export function contentOf(request: Request): string {
  if (request.kind === 'kits') return 'list of kits'
  if ('kit' in request && request.kit !== undefined) return `kit ${request.kit.kit}`
  return request.kind
}
