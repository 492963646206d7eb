import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { openStatusLine } from '../../src/terminal/status-line.js'
import { openWaiting } from '../../src/terminal/waiting.js'
import { openTerminal, type Screen } from '../../src/terminal/terminal.js'
import type { ProgressEvent } from '../../src/progress.js'
import { paint } from '../../src/text/display.js'

/**
 * Returns a terminal that interprets the output of the status line. When it becomes narrower, it rewraps its lines, as
 * most terminals do.
 */
function drawing(columns: number) {
  let rows = ['$ content-space pull brand']
  let column = 0
  let cursorShown = true
  const put = (text: string): void => {
    const row = rows.at(-1) ?? ''
    rows[rows.length - 1] = (row.slice(0, column) + text + row.slice(column + text.length)).trimEnd()
    column += text.length
  }
  const screen: Screen & { columns: number } = {
    drawn: new Set(),
    columns,
    write(data): boolean {
      // eslint-disable-next-line no-control-regex
      for (const part of data.split(/(\u001B\[(?:G|A|K|\?25[lh])|\n)/)) {
        if (part === '\u001B[G') column = 0
        else if (part === '\u001B[K') rows[rows.length - 1] = (rows.at(-1) ?? '').slice(0, column)
        else if (part === '\u001B[A') rows.pop()
        else if (part.startsWith('\u001B[?25')) cursorShown = part.endsWith('h')
        else if (part === '\n') rows.push('')
        else put(part)
      }
      return true
    },
  }
  return {
    screen,
    rows: () => rows,
    hasCursor: () => cursorShown,
    newLine: () => screen.write('\n\u001B[G'),
    resize: (width: number): void => {
      screen.columns = width
      rows = rows.flatMap((row) => row.match(new RegExp(`.{1,${width}}`, 'g')) ?? [''])
      column = rows.at(-1)?.length ?? 0
    },
  }
}

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

describe('a status line', () => {
  test('rewrites one line, and clears it at the end', () => {
    const { screen, rows, hasCursor, newLine } = drawing(80)
    newLine()
    let text = '1 of 9 files'
    const line = openStatusLine(screen, () => text)
    expect(rows()).toEqual(['$ content-space pull brand', '- 1 of 9 files'])
    expect(hasCursor()).toBe(false)
    text = '2 of 9'
    vi.advanceTimersByTime(130)
    expect(rows()).toEqual(['$ content-space pull brand', '\\ 2 of 9'])
    line.clear()
    expect(rows()).toEqual(['$ content-space pull brand', ''])
    expect(hasCursor()).toBe(true)
    vi.advanceTimersByTime(1000)
    expect(rows()).toEqual(['$ content-space pull brand', ''])
  })

  test('is cut at the width of the terminal', () => {
    const { screen, rows, newLine } = drawing(30)
    newLine()
    openStatusLine(screen, () => 'x'.repeat(50))
    expect(rows().at(-1)).toBe(`- ${'x'.repeat(26)}…`)
  })

  test("doesn't leave anything behind when the terminal becomes narrower", () => {
    const { screen, rows, newLine, resize } = drawing(30)
    newLine()
    const line = openStatusLine(screen, () => 'x'.repeat(50))
    resize(26)
    vi.advanceTimersByTime(130)
    expect(rows()).toEqual(['$ content-space pull brand', `\\ ${'x'.repeat(22)}…`])
    resize(10)
    line.clear()
    expect(rows()).toEqual(['$ content-', 'space pull', ' brand', ''])
  })

  test('removes control characters from a text', () => {
    const { screen, rows, newLine } = drawing(80)
    newLine()
    openStatusLine(screen, () => 'a\u001B[2Jb')
    expect(rows().at(-1)).toBe(String.raw`- a\u{1b}[2Jb`)
  })
})

/** Opens a command's terminal with one stream for both outputs. */
function start(env: Record<string, string>, tty?: { columns: number }) {
  const printed: string[] = []
  const stream = { write: (text: string) => printed.push(text), ...(tty && { isTTY: true, ...tty }) }
  const { signal } = new AbortController()
  return { printed, terminal: openTerminal({ stdout: stream, stderr: stream, env, cwd: '/', signal }) }
}

describe('a terminal', () => {
  const painted = [paint('red', 'a'), ' b']

  test.each([
    [{ TERM: 'xterm-256color' }, { columns: 80 }, true],
    [{ TERM: 'xterm-256color', NO_COLOR: '1' }, { columns: 80 }, false],
    [{ TERM: 'dumb' }, { columns: 80 }, false],
    [{ FORCE_COLOR: '1' }, undefined, true],
    [{ FORCE_COLOR: '0' }, { columns: 80 }, false],
    [{ TERM: 'xterm-256color' }, undefined, false],
  ])('with %j and %j shows colors: %s', (env, tty, colors) => {
    const { printed, terminal } = start(env, tty)
    terminal.print(painted)
    expect(printed).toEqual([colors ? '\u001B[31ma\u001B[39m b\n' : 'a b\n'])
    expect(terminal).toMatchObject({ colors, columns: tty?.columns })
  })

  test.each([
    [{ TERM: 'xterm' }, { columns: 80 }, 80],
    [{ TERM: 'xterm' }, { columns: 0 }, undefined],
    [{ TERM: 'xterm' }, undefined, undefined],
    [{ TERM: 'dumb' }, { columns: 80 }, undefined],
    [{ TERM: 'xterm', CI: 'true' }, { columns: 80 }, undefined],
  ])('with %j and %j has a screen of %s columns', (env, tty, columns) => {
    expect(start(env, tty).terminal.screen?.columns).toBe(columns)
  })

  test('erases the line that is drawn before it prints, and removes it at the end', () => {
    const { printed, terminal } = start({ TERM: 'xterm' }, { columns: 80 })
    const waiting = openWaiting(terminal, false)
    waiting.progress(plan)
    terminal.note('a warning')
    vi.advanceTimersByTime(130)
    terminal.close()
    terminal.print('done')
    const [erase, show] = ['\u001B[G\u001B[K', '\u001B[?25h']
    expect(printed).toEqual([
      '\u001B[?25l',
      `${erase}- starting`,
      erase,
      'a warning\n',
      `${erase}\\ 0 of 4 files`,
      erase + show,
      'done\n',
    ])
  })
})

const plan: ProgressEvent = { type: 'plan', kit: 'Brand', version: 1, files: 4, bytes: 40, downloads: 4, reused: 2 }
const file = (done: number): ProgressEvent => {
  return { type: 'file', kit: 'Brand', name: 'a', done, total: 4, bytes: done * 10, totalBytes: 40 }
}

describe('progress', () => {
  test('draws a bar in a terminal, and clears it at the end', () => {
    const { screen, rows, newLine } = drawing(100)
    newLine()
    const note = vi.fn<() => void>()
    const waiting = openWaiting({ screen, note }, false)
    waiting.progress(plan)
    vi.advanceTimersByTime(130)
    expect(rows().at(-1)).toBe('\\ 0 of 4 files')
    waiting.progress(file(1))
    vi.advanceTimersByTime(130)
    expect(rows().at(-1)).toMatch(/^\| ███░{9} 1 of 4 files, 10 B of 40 B, .*\/s, \d+ s left, 2 reused$/)
    waiting.progress({ type: 'wait', seconds: 60 })
    vi.advanceTimersByTime(130)
    expect(rows().at(-1)).toMatch(/1 of 4 files, 10 B of 40 B, waiting 60 s for the rate limit$/)
    waiting.end()
    waiting.progress(file(2))
    vi.advanceTimersByTime(1000)
    expect(rows()).toEqual(['$ content-space pull brand', ''])
    expect(note).not.toHaveBeenCalled()
  })

  test('prints a line every ten seconds without a terminal, and each wait once', () => {
    const lines: unknown[] = []
    const waiting = openWaiting({ screen: undefined, note: (line) => void lines.push(line) }, false)
    waiting.progress(plan)
    waiting.progress({ type: 'wait', seconds: 2 })
    waiting.progress({ type: 'wait', seconds: 1 })
    waiting.progress(file(1))
    vi.advanceTimersByTime(10_000)
    for (const done of [2, 3, 4]) waiting.progress(file(done))
    waiting.end()
    expect(lines).toEqual(['waiting 2 s for the rate limit', 'Brand: 2 of 4 files'])
  })
})
