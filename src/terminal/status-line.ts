import { oneLine } from '../text/display.js'
import type { DrawnLine, Screen } from './terminal.js'
import { cut, widthOf } from './table.js'

const frames = ['-', '\\', '|', '/']
const millisecondsPerFrame = 130

/**
 * Escape sequences that move to the first column, move one row up, erase the rest of the line, and hide or show the
 * cursor.
 */
const codes = { start: '\u001B[G', up: '\u001B[A', erase: '\u001B[K', hide: '\u001B[?25l', show: '\u001B[?25h' }

/**
 * Opens a status line at the bottom of a terminal, which is redrawn in place and starts with a spinner.
 * @param text called for each frame
 */
export function openStatusLine(screen: Screen, text: () => string): DrawnLine {
  let frame = 0
  /** The number of columns that are currently drawn. */
  let drawn = 0

  /** Returns the codes that erase the line, which takes several rows if the terminal has become narrower. */
  function erased(): string {
    const rows = Math.max(1, Math.ceil(drawn / Math.max(1, screen.columns)))
    return Array.from({ length: rows }, () => codes.start + codes.erase).join(codes.up)
  }

  function draw(): void {
    const shown = cut(oneLine(`${frames[frame++ % frames.length]} ${text()}`), Math.max(0, screen.columns - 1))
    screen.write(erased() + shown)
    drawn = widthOf(shown)
  }

  const line: DrawnLine = {
    erase() {
      if (drawn === 0) return
      screen.write(erased())
      drawn = 0
    },
    clear() {
      if (!screen.drawn.delete(line)) return
      clearInterval(timer)
      screen.write(erased() + codes.show)
      drawn = 0
    },
  }
  screen.drawn.add(line)
  screen.write(codes.hide)
  draw()
  const timer = setInterval(draw, millisecondsPerFrame).unref()
  return line
}
