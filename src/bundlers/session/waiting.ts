import type { Request } from '../../request/request.js'
import type { Space } from '../../space/space.js'

export type Waiting = ReturnType<typeof createWaiting>

interface Step {
  text: string
  from: string
  /** When the step started, in milliseconds. */
  started: number
  /** How long the step took. Undefined while it is running, or if it failed. */
  seconds?: number
}

/** If a step is still running this many seconds after its start, we print a line. */
const mentions = [1, 3, 10, 30, 60, 120, 300]

/**
 * Reports steps that take longer than a second. If there are several, names only the oldest, because the others are
 * usually waiting for it.
 * @param say prints a line
 */
export function createWaiting(say: (line: string) => void) {
  const steps = new Set<Step>()
  let timer: NodeJS.Timeout | undefined
  let mentioned = 0
  let lastMentioned: Step | undefined

  function mention(): void {
    const [oldest] = steps
    if (oldest === undefined) return
    const seconds = secondsSince(oldest.started)
    const due = mentions.filter((one) => one <= seconds).length
    if (due <= mentioned) return
    say(`content-space: waiting for ${oldest.text}, ${seconds} s)`)
    mentioned = due
    lastMentioned = oldest
  }

  function finish(): void {
    if (steps.size > 0) return
    clearInterval(timer)
    timer = undefined
    // If the step failed, the error explains what happened.
    if (lastMentioned?.seconds !== undefined)
      say(`content-space: ${lastMentioned.from} answered after ${lastMentioned.seconds} s`)
    mentioned = 0
    lastMentioned = undefined
  }

  return {
    /**
     * Returns the result of a step. Doesn't report steps that read from a folder, because they don't wait for a
     * service.
     * @param space the source of the step's content
     * @param what names the content that the step loads, for the message
     */
    async during<T>(space: Pick<Space, 'label' | 'local'>, what: string, run: () => Promise<T>): Promise<T> {
      if (space.local) return run()
      const from = space.label
      const step: Step = { text: `${from} (${what}`, from, started: Date.now() }
      steps.add(step)
      timer ??= setInterval(mention, 500).unref()
      try {
        const result = await run()
        step.seconds = secondsSince(step.started)
        return result
      } finally {
        steps.delete(step)
        finish()
      }
    },
  }
}

function secondsSince(time: number): number {
  return Math.round((Date.now() - time) / 1000)
}

/** Describes the content of a request in a few words. */
export function contentOf(request: Request): string {
  if (request.kind === 'kits') return 'list of kits'
  if ('kit' in request && request.kit !== undefined) return `kit ${request.kit.kit}`
  return request.kind
}
