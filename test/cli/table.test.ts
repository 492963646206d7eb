import { expect, test } from 'vitest'
import { cut, tableLines, widthOf, wrapped, type Cell } from '../../src/terminal/table.js'
import { swatch } from '../../src/terminal/swatch.js'
import { paint, plainText, type Line } from '../../src/text/display.js'

const textOf = (line: Line): string => (typeof line === 'string' ? line : line.map(plainText).join(''))
const columns = [{ shrink: 1, least: 8 }, { shrink: 2, least: 6 }, { align: 'right' as const }, { optional: true }]
const table = (cells: Cell[][], width?: number): string[] => tableLines(cells, { columns, width }).map(textOf)

test("aligns columns, even with wide characters, and doesn't truncate in a pipe", () => {
  expect(
    table([
      ['ロゴ', 'logo', '1 B', ''],
      ['Hero Photo', 'heroPhoto', '120 kB', 'a note'],
      ['🎉 party', 'party', '9 kB', ''],
    ]),
  ).toEqual(['ロゴ        logo          1 B', 'Hero Photo  heroPhoto  120 kB  a note', '🎉 party    party        9 kB'])
})

test.each([20, 24, 40, 80, 160])(
  'no row is wider than %d columns, and each keeps what must be typed as long as it can',
  (width) => {
    const cells = [
      ['a name that is far too long for a narrow terminal', 'exportName', '120 kB', 'an optional note'],
      ['ロゴロゴロゴロゴロゴロゴ', 'logo', '1 B', ''],
    ]
    const rows = table(cells, width)
    expect(Math.max(...rows.map(widthOf))).toBeLessThanOrEqual(Math.max(width, 8 + 2 + 6 + 2 + 6))
    if (width >= 40) expect(rows[0]).toContain('exportName')
    expect(rows[0]?.includes('an optional note')).toBe(width > 80)
  },
)

test('cuts parts with styles, and keeps the styles', () => {
  const [line] = tableLines([[[paint('cyan', 'abcdef'), paint('dim', 'ghijkl')]]], {
    columns: [{ shrink: 1, least: 4 }],
    width: 9,
  })
  expect(line).toEqual(['', paint('cyan', 'abcdef'), paint('dim', 'gh…')])
})

test('a text of content cannot break a row', () => {
  expect(table([['a\nb', '\u001B[2J', '1 B', '']])).toEqual([String.raw`a b  \u{1b}[2J  1 B`])
})

test('cuts and breaks texts by the columns that they take', () => {
  expect([cut('ロゴロゴ', 5), cut('logo', 4)]).toEqual(['ロゴ…', 'logo'])
  expect(wrapped('one two three', 8)).toEqual(['one two', 'three'])
  expect(wrapped('one two three', undefined)).toEqual(['one two three'])
})

test('a color has codes for terminals of each depth', () => {
  expect(swatch([229, 96, 63])).toEqual({
    codes: { 24: [38, 2, 229, 96, 63], 8: [38, 5, 173], 4: [31] },
    text: '██',
  })
})
