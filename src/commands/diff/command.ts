import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { Command, Option } from 'commander'
import type { DiffOptions } from '../shared/changes/diff.js'
import type { Diff } from '../shared/changes/report.js'
import { parseVersion, type VersionSelector } from '../../request/request.js'
import { omitUndefined } from '../../text/omit-undefined.js'
import { kitName, parser, usageError, withEngine, type CommonFlags, type FlagExceptions } from '../../terminal/flags.js'
import type { Terminal } from '../../terminal/terminal.js'

interface DiffFlags extends CommonFlags {
  from?: VersionSelector
  to?: VersionSelector
  since?: string
  markdown?: boolean
  /** A path, or true for stdout. */
  html?: string | true
  download?: boolean
  exitCode?: boolean
}

const withoutLockfile =
  'There is no lockfile to compare with. Run `npx content-space sync`, or specify a kit and --from.'

const help = `
Examples:
  npx content-space diff
  npx content-space diff brand --from draft --to use
  npx content-space diff --html diff.html`

export const flagExceptions: FlagExceptions = { frozen: 'implied' }

export function command(terminal: Terminal): Command {
  return new Command('diff')
    .summary('list assets, sections, headings and tokens that differ, and imports that would break; writes nothing')
    .argument('[kit]', `${kitName}; brand@2 is short for brand --to 2 (default: every kit of the lockfile)`)
    .addOption(
      versionOption('--from', 'compare from this version: a number, draft or use (default: the locked version)'),
    )
    .addOption(
      versionOption('--to', 'compare with this version: a number, draft or use (default: the version in use now)'),
    )
    .addOption(
      new Option(
        '--since <commit>',
        'compare the lockfile of this git commit with the lockfile of the project, for example HEAD after an update',
      ).conflicts(['from', 'to', 'download']),
    )
    .addOption(new Option('--markdown', 'print Markdown, for example for a pull request').conflicts(['json', 'html']))
    .addOption(
      new Option(
        '--html [file]',
        'write a page with pictures of both versions to this file, or print the page if no file is given',
      ).conflicts('json'),
    )
    .option(
      '--download',
      'download locked files again, to find replaced files that the service does not list as changed',
    )
    .option('--exit-code', 'exit with 1 if there are differences')
    .description(help)
    .action(async (kit: string | undefined, flags: DiffFlags) => {
      const { from, to, since, html, download = false, exitCode } = flags
      if (kit?.includes('@') && to !== undefined)
        throw usageError(
          `${kit} and --to both specify the version to compare with. Specify the other version with --from.`,
        )
      const request: DiffOptions = {
        ...omitUndefined({ kit, from, to, since }),
        pictures: html !== undefined,
        download,
        signal: terminal.signal,
      }
      const found = await withEngine(terminal, flags, async (engine) => {
        const { lockfile } = engine.options
        if (kit === undefined && (lockfile === false || !existsSync(lockfile))) terminal.note(withoutLockfile)
        const { diff } = await import('../shared/changes/diff.js')
        return diff(engine, request)
      })
      await printDiff(found, flags, terminal)
      const { hasDifference } = await import('../shared/changes/report.js')
      if (exitCode && hasDifference(found)) terminal.fail()
    })
}

function versionOption(name: string, description: string): Option {
  return new Option(`${name} <version>`, description).argParser(parser(name, 'a number, draft or use', parseVersion))
}

async function printDiff(diff: Diff, { json, markdown, html }: DiffFlags, terminal: Terminal): Promise<void> {
  const { printAll, printJson, note, cwd } = terminal
  const printText = (text: string): void => printAll(text.split('\n'))
  if (json) return printJson(diff)
  if (markdown) return printText((await import('./markdown.js')).diffMarkdown(diff))
  const page = html === undefined ? undefined : await import('./html.js')
  if (page && html === true) return printText(page.diffHtml(diff).trimEnd())
  const { diffText } = await import('../shared/changes/text.js')
  printAll(diffText(diff))
  if (!page || typeof html !== 'string') return
  const { writePage } = await import('../shared/page/page.js')
  await writePage(resolve(cwd, html), page.diffHtml(diff), 'diff')
  note(`wrote ${html}`)
}
