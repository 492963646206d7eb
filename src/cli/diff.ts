import { existsSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { Command, InvalidArgumentError, Option } from 'commander'
import writeFileAtomic from 'write-file-atomic'
import { hasDifference } from '../commands/diff/report.js'
import { diffHtml } from '../commands/diff/render/html.js'
import { diffMarkdown } from '../commands/diff/render/markdown.js'
import { diffText } from '../commands/diff/render/text.js'
import type { Diff, DiffRequest } from '../importer.js'
import { suggestion } from '../text/nearest.js'
import { parseVersion, type VersionSelector } from '../request/request.js'
import type { CommonFlags } from './flags.js'
import { withImporter } from './with-importer.js'
import type { Terminal } from './terminal.js'

interface DiffFlags extends CommonFlags {
  from?: VersionSelector
  to?: VersionSelector
  markdown?: boolean
  /** A path, or true for stdout. */
  html?: string | true
  exitCode?: boolean
}

const lockless = 'There is no lock to compare with: run `content-space sync`, or name a kit and --from.'

/** `content-space diff [kit]` */
export function diffCommand(terminal: Terminal): Command {
  return new Command('diff')
    .description('tell what has become of assets, and which lines of the source would break; writes nothing')
    .argument('[kit]', 'alias, slug or uuid (default: all kits that the lock has)')
    .option('--from <version>', 'a number, draft or use (default: what the lock has)', version)
    .option('--to <version>', 'a number, draft or use (default: what the space has now)', version)
    .addOption(new Option('--markdown', 'print Markdown, for a pull request').conflicts(['json', 'html']))
    .addOption(
      new Option('--html [file]', 'write one page with pictures of before and after, or print it').conflicts('json'),
    )
    .option('--exit-code', 'exit 1 when there is a difference')
    .action(async (kit: string | undefined, flags: DiffFlags, command: Command) => {
      const { from, to, html, exitCode } = flags
      if (kit?.includes('@') && to !== undefined)
        command.error(`error: ${kit} says already what to compare to: without --to, name the other version with --from`)
      const given = Object.entries({ kit, from, to }).filter(([, value]) => value !== undefined)
      const request: DiffRequest = {
        ...Object.fromEntries(given),
        pictures: html !== undefined,
        signal: terminal.signal,
      }
      const diff = await withImporter(terminal, flags, (importer) => {
        const { lockfile } = importer.options
        if (kit === undefined && (lockfile === false || !existsSync(lockfile))) terminal.note(lockless)
        return importer.diff(request)
      })
      await show(diff, flags, terminal)
      if (exitCode && hasDifference(diff)) terminal.fail()
    })
}

function version(text: string): VersionSelector {
  const selector = parseVersion(text)
  if (selector !== undefined) return selector
  throw new InvalidArgumentError(`It is a number, draft or use. ${suggestion(text, ['draft', 'use'])}`)
}

async function show(
  diff: Diff,
  { json, markdown, html }: DiffFlags,
  { print, printJson, note, cwd }: Terminal,
): Promise<void> {
  if (json) printJson(diff)
  else if (markdown) for (const line of diffMarkdown(diff).split('\n')) print(line)
  else if (html === true) for (const line of diffHtml(diff).trimEnd().split('\n')) print(line)
  else {
    for (const line of diffText(diff)) print(line)
    if (html === undefined) return
    await writePage(resolve(cwd, html), diffHtml(diff))
    note(`wrote ${html}`)
  }
}

async function writePage(path: string, page: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true })
  await writeFileAtomic(path, page)
}
