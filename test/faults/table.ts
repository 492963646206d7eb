import type { TestCase, TestModule } from 'vitest/node'

const widths = { fault: 40, must: 44, seen: 64 } as const

/**
 * Prints the catalogue as a table after a run: row, fault, required behavior, observed behavior. Below it, prints the
 * effect of each change of content and project.
 */
export default class CatalogueTable {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const tests = modules.flatMap((module) => [...module.children.allTests()])
    const rows = tests.flatMap((test) => {
      const { row } = test.meta()
      return row ? [{ ...row, test }] : []
    })
    const lines = rows
      .toSorted((a, b) => a.row - b.row)
      .flatMap(({ row, fault, must, seen, test }) => {
        return inColumns([
          String(row),
          fault,
          must,
          test.ok() && seen !== '' ? seen : failureOf(test),
          test.ok() ? 'ok' : 'NOT OK',
        ])
      })
    const head = inColumns(['row', 'the service', 'the client must', 'seen', ''])
    const good = rows.filter(({ test }) => test.ok()).length
    process.stdout.write(
      `${['', ...head, ...lines, '', `${good} of ${rows.length} rows as they must be`, '', ...sealedLines(tests)].join('\n')}\n`,
    )
  }
}

/** Returns the effects of each change of content or project on a build, one line for each change. */
function sealedLines(tests: readonly TestCase[]): string[] {
  const results = tests.flatMap((test) => test.meta().sealed ?? [])
  if (results.length === 0) return []
  const tools = [...new Set(results.map(({ tool }) => tool))]
  const rows = new Set(results.map(({ kind, change }) => `${kind}: ${change}`))
  const lines = [...rows].map((row) => {
    const cells = (tool: string): readonly string[] =>
      results.find((one) => one.tool === tool && `${one.kind}: ${one.change}` === row)?.cells ?? []
    return sealedLine(
      row,
      tools.map((tool) => cells(tool).map(shortCell).join(' ')),
    )
  })
  const silent = results.flatMap(({ cells }) => cells).filter((cell) => cell.startsWith('silent'))
  return [
    'Each cell: warm, cold and remote cache, each frozen and not.',
    '=  equal    L  another output, and the lockfile says so    E  an error    !  silently different',
    '',
    sealedLine('change', tools),
    ...lines,
    '',
    `${silent.length} of ${results.flatMap(({ cells }) => cells).length} outputs silently different`,
    '',
  ]
}

function sealedLine(name: string, columns: readonly string[]): string {
  return [name.padEnd(44), ...columns.map((column) => column.padEnd(14))].join(' | ').trimEnd()
}

function shortCell(cell: string): string {
  if (cell.startsWith('silent')) return '!'
  return cell.startsWith('error') ? 'E' : cell === 'equal' ? '=' : 'L'
}

function failureOf(test: TestCase): string {
  const { errors = [] } = test.result() ?? {}
  return (errors[0]?.message ?? 'not run').replaceAll(/\s+/g, ' ').slice(0, 300)
}

/** Formats one row with as many lines as its longest cell needs. */
function inColumns([row = '', fault = '', must = '', seen = '', ok = '']: string[]): string[] {
  const cells = [broken(fault, widths.fault), broken(must, widths.must), broken(seen, widths.seen)] as const
  const [first, second, third] = cells
  return Array.from({ length: Math.max(...cells.map(({ length }) => length)) }, (_, line) => {
    const columns = [
      (first[line] ?? '').padEnd(widths.fault),
      (second[line] ?? '').padEnd(widths.must),
      (third[line] ?? '').padEnd(widths.seen),
    ]
    return `${(line === 0 ? row : '').padStart(3)} | ${columns.join(' | ')} | ${line === 0 ? ok : ''}`.trimEnd()
  })
}

function broken(text: string, width: number): string[] {
  const lines = ['']
  for (const word of text.split(' ').flatMap((long) => long.match(new RegExp(`.{1,${width}}`, 'gu')) ?? [])) {
    const last = lines.at(-1) ?? ''
    if (last === '') lines[lines.length - 1] = word
    else if (last.length + 1 + word.length <= width) lines[lines.length - 1] = `${last} ${word}`
    else lines.push(word)
  }
  return lines
}
