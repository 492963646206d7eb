import { Command } from 'commander'
import { paint } from '../../text/display.js'
import { countText } from '../../text/quantities.js'
import { withEngine, type CommonFlags, type FlagExceptions } from '../../terminal/flags.js'
import { ended } from '../../terminal/marks.js'
import { tableLines } from '../../terminal/table.js'
import type { Terminal } from '../../terminal/terminal.js'

const help = `
Sends at most 12 requests, changes nothing, and prints what the service answers where its interface leaves that open.
The report has no name, uuid, address or token of the space, so that you can send it to others.

Examples:
  npx content-space doctor
  npx content-space doctor --json > doctor.json`

const marks = { fine: ['green', '✓'], differs: ['yellow', '~'], problem: ['red', '✗'], unknown: ['dim', '?'] } as const

export const flagExceptions: FlagExceptions = {
  frozen: 'implied',
  offline: { refused: 'it sends requests to the service' },
}

export function command(terminal: Terminal): Command {
  return new Command('doctor')
    .summary('check how the service responds, and what that means for the project')
    .description(help)
    .action(async (flags: CommonFlags) => {
      const { requests, findings } = await withEngine(terminal, flags, async (engine) =>
        (await import('./run.js')).doctor(engine, terminal.signal),
      )
      const problems = findings.filter(({ state }) => state === 'problem').length
      if (problems > 0) terminal.fail()
      if (flags.json) return terminal.printJson({ requests, findings })
      const rows = findings.map(({ topic, state, found, means }) => {
        const [color, mark] = marks[state]
        return [paint(color, mark), topic, found, state === 'fine' || state === 'unknown' ? '' : means]
      })
      terminal.printAll(tableLines(rows, { columns: [{}, {}, {}, {}], width: undefined }))
      const outcome = problems === 0 ? 'no problem found' : `${countText(problems, 'problem')} found`
      terminal.print(ended(`${outcome} with ${countText(requests, 'request')}`, problems === 0, terminal))
    })
}
