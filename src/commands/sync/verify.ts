import { Command } from 'commander'
import type { Engine } from '../../engine/engine.js'
import { withEngine, type CommonFlags } from '../../terminal/flags.js'
import { ended } from '../../terminal/marks.js'
import type { Terminal } from '../../terminal/terminal.js'

const help = `
Example:
  npx content-space verify

Exits with 1 if there are differences, and lists them. Without the service, or
with --offline, it checks what it can, and lists what it could not check.`

async function verify(engine: Engine) {
  const { hiddenTypes } = await import('../shared/visible-types.js')
  return { ...(await engine.sync.verify()), warnings: await hiddenTypes(engine) }
}

export function command(terminal: Terminal): Command {
  return new Command('verify')
    .summary(
      'check that the lockfile, the declarations and the cache are up to date; never changes lockfile and declarations',
    )
    .description(help)
    .action(async (flags: CommonFlags) => {
      const { print, printJson, note, warn, fail } = terminal
      const options = { frozen: true }
      const verified = await withEngine(terminal, flags, verify, { options })
      const { lines: differences, replaced, unchecked, warnings } = verified
      if (flags.json)
        printJson({ ok: differences.length === 0, differences, warnings, ...(unchecked && { unchecked }) })
      else if (differences.length === 0)
        print(ended('The lockfile, the declarations and the cache are up to date.', true, terminal))
      else for (const line of differences.flatMap((difference) => difference.split('\n'))) note(line)
      if (unchecked !== undefined && !flags.json) note(`note: ${unchecked}`)
      if (!flags.json) warnings.forEach(warn)
      if (differences.length === 0) return
      fail()
      // The error about a wrong import already contains its next step.
      if (flags.json || differences.every((difference) => difference.startsWith('content-space:'))) return
      note((await import('../../engine/sync/frozen.js')).nextStep(replaced))
    })
}
