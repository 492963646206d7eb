import { describe, expect, test } from 'vitest'
import { oneLine, type Line } from '../../../../src/text/display.js'
import { diffHtml } from '../../../../src/commands/diff/html.js'
import { diffMarkdown } from '../../../../src/commands/diff/markdown.js'
import { diffText } from '../../../../src/commands/shared/changes/text.js'
import type { DiffSide } from '../../../../src/commands/shared/changes/report.js'
import { hostileDiff, hostileParts, noDiff } from './entries.js'

/** Returns a line as text. `part` formats a colored part. */
const shown = (line: Line | undefined, part = (_style: string, text: string) => text): string =>
  [line ?? []]
    .flat()
    .map((one) => (typeof one === 'string' ? one : 'style' in one ? part(one.style, one.text) : one.text))
    .join('')

const picture = 'data:image/webp;base64,UklGRg=='

describe('text', () => {
  test('has one line for each change, painted by kind, and never contains terminal control characters', () => {
    const lines = diffText(hostileDiff()).map((line) => oneLine(shown(line, (colour, text) => `{${colour} ${text}}`)))
    expect(lines.map((line) => line.trim().slice(0, 8))).toEqual([
      '{bold Lo',
      'version ',
      '{dim Log',
      '{dim # L',
      '{dim : :',
      '{red rem',
      'src/`odd',
      '{cyan re',
      'src/`odd',
      '{yellow ',
      '1 remove',
    ])
    expect(lines.join('')).not.toMatch(/[\p{Cc}\u202E]/u)
    expect(lines[9]).toContain('1.2 kB → ')
  })
  test('states that there is no difference', () => expect(diffText(noDiff)).toEqual(['no differences']))
  test('shows the start of long release notes, and calls a replaced file replaced', () => {
    const { changed } = hostileDiff()
    const notes = Array.from({ length: 50 }, (_, line) => `line ${line}`).join('\n')
    const versions = { from: 1, to: 1, releases: [{ version: 2, label: '', notes }] }
    const lines = diffText({ ...noDiff, changed: changed.map((entry) => ({ ...entry, versions, detail: 'replaced' })) })
    expect(lines.map((line) => shown(line).trim().slice(0, 8))).toEqual([
      expect.any(String),
      'version ',
      ...Array.from({ length: 12 }, (_, line) => `line ${line}`),
      '…',
      'replaced',
      '1 replac',
    ])
  })
})

test('shows the value of an asset that is not a file', () => {
  const side = { name: 'Red', export: 'red', type: 'Color', size: 0 }
  const [from, to] = ['#f00', '#e00'].map((value) => ({ ...side, data: { value } }))
  const entry = {
    uuid: 'U',
    name: 'Red',
    export: 'red',
    kit: 'brand',
    versions: { from: 1, to: 2 },
    breaks: [],
    ...(from && to ? { from, to } : {}),
  }
  const diff = { ...noDiff, changed: [entry] }
  expect(shown(diffText(diff)[1])).toBe('  changed  Red  red  Color, {"value":"#f00"} → Color, {"value":"#e00"}')
  expect(diffHtml(diff)).toContain('<p>{&#34;value&#34;:&#34;#e00&#34;}</p><figcaption>After')
})

describe('markdown', () => {
  const text = diffMarkdown(hostileDiff())

  test('has a table for each kit, and lists the lines that would break', () => {
    expect(text).toContain('**Content**: 1 removed, 1 renamed, 1 changed; 1 line of the source would break')
    expect(text.split('\n').filter((line) => /^\| (removed|renamed|changed) \|/.test(line))).toHaveLength(3)
    expect(text).toContain('- ``` src/`odd` <b>.js:3 ```'.replaceAll('```', '``'))
  })
  test('never renders a name as Markdown, HTML, a link or a mention', () => {
    const prose = text.replaceAll(/(`+)(?!`).*?[^`]\1(?!`)/g, '')
    expect(prose).not.toMatch(/<(?!!--)|[^\\]\[x|@team|#1\b|https:|www\.|[^\P{Cc}\n]|\u202E/u)
    for (const row of prose.split('\n').filter((line) => line.startsWith('| re')))
      expect(row.match(/(?<!\\)\|/g)).toHaveLength(5)
  })
  test('splits what GitHub and GitLab link: hashes of commits, issues, milestones and epics', () => {
    const [entry] = hostileDiff().changed
    const name = '0123456789abcdef0123456789abcdef01234567 abc1234, GH-12 %3 &4 ^alert cafe 2024'
    const markdown = diffMarkdown({ ...noDiff, added: entry ? [{ ...entry, name, to: { name, export: 'a' } }] : [] })
    const shownText = markdown
      .replaceAll('&NoBreak;', '·')
      .replaceAll('&amp;', '&')
      .replaceAll(/\\(?=[%^])/g, '')
    expect(shownText).toContain(
      '012345·6789ab·cdef01·234567·89abcd·ef0123·4567 abc123·4, GH-·12 %3 &·4 ^alert cafe 2024',
    )
    expect(markdown).toContain(String.raw`\%3`)
  })
  test('has release notes as a quotation, and never as lists or headings', () => {
    const [entry] = hostileDiff().changed
    const notes = '# New logo\n- and more\n1. first\n== \n\n| a |'
    const versions = { from: 1, to: 2, labels: { to: '2.0' }, releases: [{ version: 2, label: '2.0', notes }] }
    const markdown = diffMarkdown({ ...noDiff, changed: entry ? [{ ...entry, kit: 'brand', versions }] : [] })
    expect(markdown.split('\n\n').slice(1, 3)).toEqual([
      '### brand\\: version 1 → version 2 (2.0)',
      [
        '> **version 2 (2.0)**',
        String.raw`> \#&NoBreak; New logo`,
        String.raw`> \- and more`,
        String.raw`> 1\. first`,
        String.raw`> \==`,
        String.raw`> \| a \|`,
      ].join('\\\n'),
    ])
  })
  test('states that there is no difference', () => expect(diffMarkdown(noDiff)).toBe('**Content**: no differences'))
})

describe('html', () => {
  const page = diffHtml(hostileDiff(picture))

  test('escapes all input', () => {
    expect(page).not.toMatch(/<script|<img src=x|onerror='/)
    expect(page).toContain('&#60;script&#62;hit()')
    const attributes = [...page.matchAll(/ alt="([^"]*)"/g)].map(([, alt]) => alt)
    expect(attributes).toHaveLength(5)
    for (const alt of attributes) expect(alt).not.toMatch(/[<>']/)
  })
  test('refers to nothing outside of the document', () => {
    const addresses = [...page.matchAll(/\b(?:src|href|action|content)="([^"]*)"/g)].map(([, address = '']) => address)
    expect(addresses.filter((address) => !address.startsWith('data:'))).toEqual([
      expect.stringMatching(
        /^default-src 'none'; style-src 'sha256-[^;]+; img-src data:; base-uri 'none'; form-action 'none'$/,
      ),
      'width=device-width, initial-scale=1',
      'content-space diff',
    ])
    expect(page).not.toMatch(/url\(|@import|<link|<iframe|<object/)
  })
  test('is the same each time, and marks missing values', () => {
    expect(diffHtml(hostileDiff(picture))).toBe(page)
    expect(page).toContain('<p>not in this version</p><figcaption>After')
    expect(diffHtml(hostileDiff())).toContain('<p>no preview</p>')
    expect(diffHtml(noDiff)).toContain('<p>no differences</p>')
  })
})

describe('sections, headings and tokens', () => {
  test('are lines without control characters', () => {
    const lines = diffText(hostileParts()).map((line) => oneLine(shown(line)))
    expect(lines.join('')).not.toMatch(/[\p{Cc}\u202E]/u)
    expect(lines.filter((line) => !line.startsWith('    ')).map((line) => line.trim().slice(0, 16))).toEqual([
      expect.any(String),
      'version 2 (Logo ',
      'removed  section',
      'renamed  section',
      'moved    heading',
      'moved    asset M',
      'changed  color L',
      'added    heading',
      'assets: 1 moved;',
    ])
  })
  test('are Markdown in which names are only text', () => {
    const prose = diffMarkdown(hostileParts()).replaceAll(/(`+)(?!`).*?[^`]\1(?!`)/g, '')
    expect(prose).not.toMatch(/<(?!!--)|[^\\]\[x|@team|#1\b|https:|www\.|[^\P{Cc}\n]|\u202E/u)
    const rows = prose.split('\n').filter((line) => /^\| (removed|renamed|moved|changed|added)/.test(line))
    expect(rows.map((row) => row.match(/(?<!\\)\|/g)?.length)).toEqual([6, 6, 6, 6, 6, 6])
  })
  test('are HTML in which names are never markup, not even as the color of a shape', () => {
    const page = diffHtml(hostileParts())
    expect(page).not.toMatch(/<script|<img|onerror='/)
    const attributes = [...page.matchAll(/ fill="([^"]*)"/g)].map(([, fill]) => fill)
    expect(attributes).toEqual(['#f00', expect.stringContaining('&#60;script&#62;')])
    expect([page.match(/<li><h3>/g)?.length, page.match(/<article>/g)?.length]).toEqual([5, 1])
  })
})

test('kits without other differences are titles, in which names are only text', () => {
  const { kit = '', versions = { from: 1, to: 2 } } = hostileDiff().removed[0] ?? {}
  const entry = { uuid: 'U', kit, versions }
  const diff = { ...noDiff, kits: { added: [], removed: [{ ...entry, versions: { from: 3 } }], updated: [entry] } }
  const lines = diffText(diff).map((line) => oneLine(shown(line)))
  expect(lines).toHaveLength(7)
  expect(lines.at(-1)).toBe('kits: 1 removed, 1 updated')
  const markdown = diffMarkdown(diff)
  expect(lines.join('') + markdown.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\u202E]/u)
  expect(markdown).not.toMatch(/<(?!!--)|[^\\]\[x|@team|#1\b|https:|www\./)
  expect(markdown.match(/^### /gm)).toHaveLength(2)
  expect(diffHtml(diff)).not.toMatch(/<script|<img|onerror='/)
})

const colorSide = (brightness: number): DiffSide => {
  const colors = [{ name: 'Coral', hue: 240, saturation: 100, brightness, alpha: 100, coverage: 100 }]
  return { name: 'Coral', export: 'coral', type: 'COLOR', data: { notes: 'x'.repeat(100), colors } }
}

test('shows colors as CSS, also if their records are long', () => {
  const sides = { from: colorSide(100), to: colorSide(50) }
  const names = { uuid: 'U', name: 'Coral', export: 'coral', kit: 'brand' }
  const diff = { ...noDiff, changed: [{ ...names, versions: { from: 1, to: 2 }, breaks: [], ...sides }] }
  expect(shown(diffText(diff)[1])).toBe('  changed  Coral  coral  COLOR, #0000ff → COLOR, #000080')
  expect(diffMarkdown(diff)).toContain('| changed | Coral | `coral` | COLOR, `#0000ff` → COLOR, `#000080` |')
  expect(diffHtml(diff)).toContain('<path d="M0 0h1v1H0z" fill="#000080"/></svg><figcaption>After')
})

test('lists a color that is a token once, with the lines of both', () => {
  const entry = { uuid: 'U', name: 'Coral', kit: 'brand', versions: { from: 1, to: 2 } }
  const [asset, token] = [1, 2].map((line) => [{ file: 'a.js', line, specifier: 'content-space:kit/brand' }])
  const from = { name: 'Coral', export: 'coral', type: 'color' as const, value: '#ff7f50' }
  const tokens = { added: [], removed: [{ ...entry, from, breaks: token ?? [] }], renamed: [], changed: [] }
  const removed = [{ ...entry, export: 'coral', from: colorSide(100), breaks: asset ?? [] }]
  const diff = { ...noDiff, removed, tokens }
  expect(diffText(diff).map((line) => shown(line))).toEqual([
    'brand: version 1 → version 2',
    '  removed  color Coral  coral  #ff7f50',
    '    a.js:1  content-space:kit/brand',
    '    a.js:2  content-space:kit/brand',
    'tokens: 1 removed; 2 lines of the source would break',
  ])
  expect(diffMarkdown(diff).match(/^\| removed/gm)).toHaveLength(1)
})

test('shows a font by its name, and long data with an ellipsis', () => {
  const font = { family: 'Inter', variant: 'Regular', stylesheetUrl: 'https://f.example', extra: 'x'.repeat(99) }
  const side = { name: 'Inter', export: 'inter', type: 'TEXT_STYLE', size: 0, data: { font } }
  const link = { ...side, type: 'URL', data: { content: 'y'.repeat(99) } }
  const entry = { uuid: 'U', name: 'Inter', export: 'inter', kit: 'brand', versions: { from: 1, to: 2 }, breaks: [] }
  const lines = diffText({ ...noDiff, added: [side, link].map((to) => ({ ...entry, to })) })
  expect(shown(lines[1])).toBe('  added    Inter  inter  TEXT_STYLE, Inter 400 https://f.example')
  expect(shown(lines[2])).toMatch(/^ {2}added {4}Inter {2}inter {2}URL, \{"content":"y+…$/)
})
