import type { ResolvedOptions } from '../config/options.js'
import type { ProgressEvent } from '../progress.js'
import type { Terminal } from './terminal.js'
import { countText, durationText, sizeText } from '../text/quantities.js'

/** Shows how far a pull is. */
export interface Progress {
  show(this: void, event: ProgressEvent): void
  /** To be called before anything else is printed. */
  end(this: void): void
}

/** How often a pipe gets a line: each so many parts of a hundred. */
const step = 10

/** Characters of the bar. */
const width = 12

type Step = Extract<ProgressEvent, { type: 'file' }>

type Wait = Extract<ProgressEvent, { type: 'wait' }>

/** A bar in a terminal, plain lines elsewhere. */
export async function openProgress({ screen, note }: Terminal, now: () => number = Date.now): Promise<Progress> {
  const bar = screen && (await import('ora')).default({ stream: screen, discardStdin: false, spinner: 'line' })
  let started = 0
  let said = 0
  let reused = 0
  let last: Step | undefined
  /** When requests go on. */
  let held = 0

  function line({ kit, done, total }: Step): void {
    const part = Math.floor((done / total) * (100 / step))
    if (part === said && done < total) return
    said = part
    note(`${kit}: ${done} of ${total} files`)
  }

  function draw(): void {
    if (!bar) return
    const wait = now() < held ? waitLine(Math.ceil((held - now()) / 1000)) : undefined
    bar.text = last ? `${drawn(last)}, ${wait ?? pace(last, reused, (now() - started) / 1000)}` : (wait ?? 'looking')
  }

  /** In lines, once a wait: one may be told of every second. */
  function hold({ seconds }: Wait): void {
    if (!bar && now() >= held) note(waitLine(seconds))
    held = now() + seconds * 1000
    draw()
  }

  return {
    show(event) {
      if (event.type === 'plan') {
        started = now()
        said = 0
        last = undefined
        reused = event.reused + event.files - event.downloads
        bar?.start(event.files === 0 ? 'looking' : `0 of ${event.files} files`)
      }
      if (event.type === 'wait') hold(event)
      if (event.type !== 'file') return
      last = event
      if (bar) draw()
      else line(event)
    },
    end: () => void bar?.stop(),
  }
}

function waitLine(seconds: number): string {
  return `waiting ${durationText(seconds)} for the rate limit`
}

/** `████░░░░░░░░ 123 of 412 files, 11.2 MB of 38 MB` */
function drawn({ done, total, bytes, totalBytes }: Step): string {
  const filled = Math.round((done / total) * width)
  return `${'█'.repeat(filled)}${'░'.repeat(width - filled)} ${done} of ${total} files, ${sizeText(bytes)} of ${sizeText(totalBytes)}`
}

/** `3.4 MB/s, 8 s left, 88 reused` */
function pace({ done, total, bytes }: Step, reused: number, seconds: number): string {
  const left = seconds * (total / done - 1)
  return [
    `${sizeText(Math.round(bytes / Math.max(seconds, 0.001)))}/s`,
    `${durationText(left)} left`,
    ...(reused > 0 ? [`${reused} reused`] : []),
  ].join(', ')
}

/** `Brand (version 3): 412 files, 38 MB, 21 % of the download limit; 88 are there already` */
export function planLine(
  { kit, version, files, bytes, downloads, reused }: Extract<ProgressEvent, { type: 'plan' }>,
  { rateLimit, space }: ResolvedOptions,
): string {
  const limit =
    'address' in space && rateLimit && downloads > 0
      ? [`${Math.ceil((downloads / rateLimit.requests) * 100)} % of the download limit`]
      : []
  const cached = files > downloads ? [`${files - downloads} from the cache`] : []
  const work =
    files === 0 ? 'no files to write' : [countText(files, 'file'), sizeText(bytes), ...limit, ...cached].join(', ')
  return `${kit} (version ${version}): ${work}${reused === 0 ? '' : `; ${reused} ${reused === 1 ? 'is' : 'are'} there already`}`
}
