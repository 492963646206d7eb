import { styleText } from 'node:util'
import { Command, InvalidArgumentError } from 'commander'
import { diffText } from '../diff/text.js'
import type { Diff, DiffRequest } from '../importer.js'
import { suggestion } from '../nearest.js'
import { parseVersion, type VersionSelector } from '../request.js'
import type { CommonFlags } from './flags.js'
import { inProject } from './project.js'
import type { Terminal } from './terminal.js'

interface DiffFlags extends CommonFlags {
  from?: VersionSelector
  to?: VersionSelector
  exitCode?: boolean
}

/** `content-space diff [kit]` */
export function diffCommand(terminal: Terminal): Command {
  return new Command('diff')
    .description('tell what has become of assets, and which lines of the source would break; writes nothing')
    .argument('[kit]', 'alias, slug or uuid (default: all kits that the lock has)')
    .option('--from <version>', 'a number, draft or use (default: what the lock has)', version)
    .option('--to <version>', 'a number, draft or use (default: what the space has now)', version)
    .option('--exit-code', 'exit 1 when there is a difference')
    .action(async (kit: string | undefined, flags: DiffFlags) => {
      const { from, to, exitCode } = flags
      const given = Object.entries({ kit, from, to }).filter(([, value]) => value !== undefined)
      const request: DiffRequest = { ...Object.fromEntries(given), signal: terminal.signal }
      const diff = await inProject(terminal, flags, (importer) => importer.diff(request))
      show(diff, flags, terminal)
      if (exitCode && Object.values(diff).some((entries) => entries.length > 0)) terminal.fail()
    })
}

function version(text: string): VersionSelector {
  const selector = parseVersion(text)
  if (selector !== undefined) return selector
  throw new InvalidArgumentError(`It is a number, draft or use. ${suggestion(text, ['draft', 'use'])}`)
}

function show(diff: Diff, { json }: DiffFlags, { print }: Terminal): void {
  if (json) print(JSON.stringify(diff))
  else for (const line of diffText(diff, (colour, text) => styleText(colour, text, { stream: process.stdout }))) print(line)
}
