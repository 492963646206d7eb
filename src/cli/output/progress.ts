import type { ResolvedOptions } from '../../config/options.js'
import type { ProgressEvent } from '../../progress.js'
import { countText, sizeText } from '../../text/quantities.js'
import { openStatusLine } from './status-line.js'
import type { Screen, Terminal } from '../terminal.js'

/** Shows the progress of `pull` and `mirror`. */
export interface Progress {
  show(this: void, event: ProgressEvent): void
  /** Removes the bar. Call it before anything else is printed. */
  end(this: void): void
}

type PlanEvent = Extract<ProgressEvent, { type: 'plan' }>
type FileEvent = Extract<ProgressEvent, { type: 'file' }>

const patience = 10_000

const barWidth = 12

/** Draws a bar in a terminal, and prints plain lines elsewhere. */
export function openProgress(
  { screen, note }: Pick<Terminal, 'screen' | 'note'>,
  now: () => number = Date.now,
): Progress {
  return screen ? drawProgress(screen, now) : printProgress(note, now)
}

function drawProgress(screen: Screen, now: () => number): Progress {
  const line = openStatusLine(screen)
  /** Whether a plan is being carried out. Events that arrive after its end are not drawn. */
  let active = false
  let started = 0
  let reused = 0
  let last: FileEvent | undefined
  /** When the rate limit allows requests again. */
  let heldUntil = 0

  function draw(): void {
    const wait = now() < heldUntil ? waitText(Math.ceil((heldUntil - now()) / 1000)) : undefined
    if (last) line.show(`${barText(last)}, ${wait ?? paceText(last, reused, (now() - started) / 1000)}`)
    else line.show(wait ?? 'checking files')
  }

  return {
    show(event) {
      if (event.type === 'plan') {
        active = true
        started = now()
        last = undefined
        reused = event.reused + event.files - event.downloads
        line.show(event.files === 0 ? 'checking files' : `0 of ${event.files} files`)
      }
      if (event.type === 'file') last = event
      if (event.type === 'wait') heldUntil = now() + event.seconds * 1000
      if (active && event.type !== 'plan') draw()
    },
    end() {
      active = false
      line.clear()
    },
  }
}

function printProgress(note: Terminal['note'], now: () => number): Progress {
  let printed = now()
  let heldUntil = 0
  return {
    show(event) {
      if (event.type === 'plan') printed = now()
      if (event.type === 'wait') {
        // A wait may be reported every second, and is printed once.
        if (now() >= heldUntil) note(waitText(event.seconds))
        heldUntil = now() + event.seconds * 1000
      }
      if (event.type !== 'file' || now() < printed + patience) return
      printed = now()
      note(`${event.kit}: ${event.done} of ${event.total} files`)
    },
    end: () => {},
  }
}

function waitText(seconds: number): string {
  return `waiting ${seconds} s for the rate limit`
}

/** `████░░░░░░░░ 123 of 412 files, 11.2 MB of 38 MB` */
function barText({ done, total, bytes, totalBytes }: FileEvent): string {
  const filled = Math.round((done / total) * barWidth)
  const bar = '█'.repeat(filled) + '░'.repeat(barWidth - filled)
  return `${bar} ${done} of ${total} files, ${sizeText(bytes)} of ${sizeText(totalBytes)}`
}

/** `3.4 MB/s, 8 s left, 88 reused` */
function paceText({ done, total, bytes }: FileEvent, reused: number, seconds: number): string {
  const remaining = seconds * (total / done - 1)
  return [
    `${sizeText(Math.round(bytes / Math.max(seconds, 0.001)))}/s`,
    `${Math.ceil(remaining)} s left`,
    ...(reused > 0 ? [`${reused} reused`] : []),
  ].join(', ')
}

/** `Brand (version 3): 412 files, 38 MB, 21 % of the download limit; 88 files are up to date` */
export function planLine(
  { kit, version, files, bytes, downloads, reused }: PlanEvent,
  { rateLimit, space }: ResolvedOptions,
): string {
  const limit =
    'address' in space && rateLimit && downloads > 0
      ? [`${Math.ceil((downloads / rateLimit.requests) * 100)} % of the download limit`]
      : []
  const cached = files > downloads ? [`${files - downloads} from the cache`] : []
  const work =
    files === 0 ? 'no files to write' : [countText(files, 'file'), sizeText(bytes), ...limit, ...cached].join(', ')
  const rest = reused === 0 ? '' : `; ${countText(reused, 'file is', 'files are')} up to date`
  return `${kit} (version ${version}): ${work}${rest}`
}
