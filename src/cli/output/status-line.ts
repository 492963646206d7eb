import { oneLine } from '../../text/display.js'
import type { DrawnLine, Screen } from '../terminal.js'
import { cut, widthOf } from './table.js'

const frames = ['-', '\\', '|', '/']
const millisecondsPerFrame = 130

/** Escape sequences: move to the first column and one row up, delete the rest of the line, hide and show the cursor. */
const codes = { start: '\u001B[G', up: '\u001B[A', erase: '\u001B[K', hide: '\u001B[?25l', show: '\u001B[?25h' }

/** The last line of a terminal, which is redrawn in place with a spinner at its start. */
export function openStatusLine(screen: Screen) {
  let text: string | (() => string) = ''
  let frame = 0
  /** Number of columns on the screen. */
  let drawn = 0
  let timer: NodeJS.Timeout | undefined

  /** A terminal that has become narrower since the line was drawn shows it on several rows. */
  function erased(): string {
    const rows = Math.max(1, Math.ceil(drawn / Math.max(1, screen.columns)))
    return Array.from({ length: rows }, () => codes.start + codes.erase).join(codes.up)
  }

  function draw(): void {
    const shown = typeof text === 'string' ? text : text()
    const line = cut(oneLine(`${frames[frame++ % frames.length]} ${shown}`), Math.max(0, screen.columns - 1))
    screen.write(erased() + line)
    drawn = widthOf(line)
  }

  function clear(): void {
    if (timer === undefined) return
    clearInterval(timer)
    timer = undefined
    screen.write(erased() + codes.show)
    drawn = 0
    screen.drawn.delete(self)
  }

  const self: DrawnLine = {
    erase() {
      if (drawn === 0) return
      screen.write(erased())
      drawn = 0
    },
    clear,
  }
  return {
    /** Shows a text, or what a function returns at each frame. Further calls replace it at the next frame. */
    show(next: string | (() => string)): void {
      text = next
      if (timer !== undefined) return
      timer = setInterval(draw, millisecondsPerFrame)
      timer.unref()
      screen.drawn.add(self)
      screen.write(codes.hide)
      draw()
    },
    clear,
  }
}
