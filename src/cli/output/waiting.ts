import type { Activity } from '../../engine/engine.js'
import type { ProgressEvent } from '../../progress.js'
import { countText, sizeText } from '../../text/quantities.js'
import type { Screen, Terminal } from '../terminal.js'
import { openStatusLine } from './status-line.js'

/** Shows what a command waits for, until it has a result or shows progress of its own. */
export interface Waiting extends Activity {
  /** Tells where the content comes from. @param place the origin of a service; undefined for a folder */
  from(this: void, place: string | undefined): void
  show(this: void, text: string): void
  end(this: void): void
}

/** Without a terminal, a line is printed when a service has not responded for this time. */
const millisecondsToLine = 1200
/** Seconds after which the status line shows how long the command has been waiting. */
const secondsToCount = 1

/**
 * @param quiet whether nothing is printed without a terminal
 * @param first what a terminal shows at first
 */
export function openWaiting(
  { screen, note }: Pick<Terminal, 'screen' | 'note'>,
  quiet: boolean,
  first = 'starting',
): Waiting {
  return screen ? drawWaiting(screen, first) : printWaiting(note, quiet)
}

function drawWaiting(screen: Screen, first: string): Waiting {
  const line = openStatusLine(screen)
  let origin: string | undefined
  let text = first
  /** When the text has changed last. */
  let since = Date.now()
  let active = true
  let pending = 0
  let downloads = { files: 0, bytes: 0 }
  const show = (next: string): void => {
    if (next === text) return
    text = next
    since = Date.now()
  }
  line.show(() => {
    const seconds = Math.floor((Date.now() - since) / 1000)
    return seconds < secondsToCount ? text : `${text}, ${seconds} s`
  })
  return {
    from(place) {
      origin = place
      show(place === undefined ? 'reading the folder' : `connecting to ${place}`)
    },
    show,
    request: () => void pending++,
    response() {
      pending--
      if (downloads.files === 0) show(`loading from ${origin}`)
    },
    event(event) {
      if (!active) return
      if (event.type === 'download' && !event.cached)
        downloads = { files: downloads.files + 1, bytes: downloads.bytes + event.size }
      show(lineOf(event, downloads) ?? text)
    },
    end() {
      active = false
      line.clear()
    },
  }
}

function lineOf(event: ProgressEvent, { files, bytes }: { files: number; bytes: number }): string | undefined {
  if (event.type === 'kit') return `read ${event.kit} (version ${event.version}), ${countText(event.assets, 'asset')}`
  if (event.type === 'wait') return `waiting ${event.seconds} s for the rate limit`
  if (event.type !== 'download') return undefined
  return files === 0 ? 'checking files' : `downloaded ${countText(files, 'file')}, ${sizeText(bytes)}`
}

function printWaiting(note: Terminal['note'], quiet: boolean): Waiting {
  let origin: string | undefined
  let pending = 0
  let timer: NodeJS.Timeout | undefined
  const stop = (): void => clearTimeout(timer)
  const start = (): void => {
    stop()
    if (quiet || origin === undefined || pending === 0) return
    timer = setTimeout(() => note(`waiting for ${origin}`), millisecondsToLine)
    timer.unref()
  }
  return {
    from: (place) => void (origin = place),
    show() {},
    request() {
      pending++
      // The line is printed once.
      if (pending === 1 && timer === undefined) start()
    },
    response() {
      pending--
      // Any response shows that the service is there.
      stop()
    },
    event() {},
    end: stop,
  }
}
