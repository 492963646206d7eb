import type { Activity } from '../engine/engine.js'
import { createWaitListener, waitText, type ProgressEvent } from '../progress.js'
import { countText, sizeText, versionText } from '../text/quantities.js'
import type { Screen, Terminal } from './terminal.js'
import { barText, paceText, type FileEvent, type PlanEvent } from './progress.js'
import { openStatusLine } from './status-line.js'

/** Reports what a command is waiting for and how far it has progressed, until the command ends. */
export interface Waiting extends Activity {
  /** Sets where the content comes from. @param place the origin of a service; undefined for a folder */
  from(this: void, place: string | undefined): void
  show(this: void, text: string): void
  /** Reports a step of a command that writes files. */
  progress(this: void, event: ProgressEvent): void
  end(this: void): void
}

/** If the output isn't a terminal: milliseconds without a response after which a line is printed. */
const millisecondsToLine = 1200
/** If the output isn't a terminal: milliseconds between lines about files. */
const patience = 10_000
/** Seconds after which the status line includes how long the command has been waiting. */
const secondsToCount = 1

/**
 * Draws a status line in a terminal, and prints plain lines elsewhere.
 * @param quiet whether to print nothing if the output isn't a terminal
 * @param first the first text in a terminal
 */
export function openWaiting(
  { screen, note }: Pick<Terminal, 'screen' | 'note'>,
  quiet: boolean,
  first = 'starting',
): Waiting {
  return screen ? drawWaiting(screen, first) : printWaiting(note, quiet)
}

function drawWaiting(screen: Screen, first: string): Waiting {
  let origin: string | undefined
  let text = first
  /** When the text last changed. */
  let since = Date.now()
  let active = true
  let downloads = { files: 0, bytes: 0 }
  let running: { plan: PlanEvent; started: number; last?: FileEvent } | undefined
  /** When the rate limit will allow requests again. */
  let heldUntil = 0

  function show(next: string): void {
    if (next === text) return
    text = next
    since = Date.now()
  }

  function shown(): string {
    const now = Date.now()
    if (running === undefined) {
      const seconds = Math.floor((now - since) / 1000)
      return seconds < secondsToCount ? text : `${text}, ${seconds} s`
    }
    const { plan, started, last } = running
    const wait = now < heldUntil ? waitText(Math.ceil((heldUntil - now) / 1000)) : undefined
    if (last) return `${barText(last)}, ${wait ?? paceText(last, plan, (now - started) / 1000)}`
    return wait ?? (plan.files === 0 ? 'checking files' : `0 of ${plan.files} files`)
  }

  function event(happened: ProgressEvent): void {
    if (!active) return
    if (happened.type === 'plan') running = { plan: happened, started: Date.now() }
    if (happened.type === 'file' && running) running.last = happened
    if (happened.type === 'wait') heldUntil = Date.now() + happened.seconds * 1000
    if (happened.type === 'download' && !happened.cached)
      downloads = { files: downloads.files + 1, bytes: downloads.bytes + happened.size }
    show(lineOf(happened, downloads) ?? text)
  }

  const line = openStatusLine(screen, shown)
  return {
    from(place) {
      origin = place
      show(place === undefined ? 'reading the folder' : `connecting to ${place}`)
    },
    show,
    request() {},
    response() {
      if (downloads.files === 0) show(`loading from ${origin}`)
    },
    event,
    progress: event,
    end() {
      active = false
      line.clear()
    },
  }
}

function lineOf(event: ProgressEvent, { files, bytes }: { files: number; bytes: number }): string | undefined {
  if (event.type === 'kit')
    return `read ${event.kit} (${versionText(event.version)}), ${countText(event.assets, 'asset')}`
  if (event.type === 'wait') return waitText(event.seconds)
  if (event.type !== 'download') return undefined
  return files === 0 ? 'checking files' : `downloaded ${countText(files, 'file')}, ${sizeText(bytes)}`
}

function printWaiting(note: Terminal['note'], quiet: boolean): Waiting {
  let origin: string | undefined
  let pending = 0
  let timer: NodeJS.Timeout | undefined
  let printed = Date.now()
  const onWait = createWaitListener(note)
  const stop = (): void => clearTimeout(timer)
  return {
    from: (place) => void (origin = place),
    show() {},
    request() {
      pending++
      // Print the line only once.
      if (quiet || origin === undefined || pending > 1 || timer !== undefined) return
      timer = setTimeout(() => note(`waiting for ${origin}`), millisecondsToLine).unref()
    },
    response() {
      pending--
      // Any response proves that the service is reachable.
      stop()
    },
    event() {},
    progress(event) {
      const now = Date.now()
      if (event.type === 'plan') printed = now
      onWait(event)
      if (event.type !== 'file' || now < printed + patience) return
      printed = now
      note(`${event.kit}: ${event.done} of ${event.total} files`)
    },
    end: stop,
  }
}
