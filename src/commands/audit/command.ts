import { relative, resolve } from 'node:path'
import { Command, Option } from 'commander'
import type { AuditOptions, AuditReport, Fixes } from '../shared/findings/report.js'
import { findings as kinds, type FindingKind } from '../../config/findings.js'
import { paint } from '../../text/display.js'
import { countText } from '../../text/quantities.js'
import { choiceParser, parser, withEngine, type CommonFlags, type FlagExceptions } from '../../terminal/flags.js'
import { lineChanges, ended } from '../../terminal/marks.js'
import { readPackage } from '../../terminal/package.js'
import type { Terminal } from '../../terminal/terminal.js'

interface AuditFlags
  extends CommonFlags, Pick<AuditOptions, 'download' | 'colorDistance' | 'expires' | 'fix' | 'force'> {
  markdown?: boolean
  sarif?: string
  /** A path, or true for stdout. */
  html?: string | true
  failOn?: FindingKind[]
  yes?: boolean
}

const help = `
Examples:
  npx unplugin-content-space audit
  npx unplugin-content-space audit src public --fail-on copy,outdated
  npx unplugin-content-space audit --fix
  npx unplugin-content-space audit --html audit.html
  npx unplugin-content-space audit --sarif audit.sarif

Findings, the surest first:
  copy      the file of an asset, byte by byte
  outdated  the file of an asset in another version
  redrawn   an SVG that draws the same: optimized, reformatted, or in code
  likeness  a picture that looks like an asset: resized, or in another format
  color     a color of a kit, or nearly one, in a script or a style sheet
  expired   an import or a copy of an asset that should no longer be used`

const parseDistance = parser('--color-distance', 'a number from 0 to 100', (text) => {
  const number = Number(text)
  return /^\d+(?:\.\d+)?$/.test(text) && number <= 100 ? number : undefined
})

const parseKind = choiceParser('each of --fail-on', kinds)
const parseKinds = (text: string) => text.split(',').map((kind) => parseKind(kind.trim()))

export const flagExceptions: FlagExceptions = { frozen: 'implied' }

export function command(terminal: Terminal): Command {
  return new Command('audit')
    .summary('find kit content in the project that was not imported')
    .argument('[path...]', 'files and folders to search (default: the project, without what Git ignores)')
    .option('--no-download', 'compare only with SVG files in the cache, without downloading others')
    .option('--fail-on <findings>', `exit with 1 for these findings: ${kinds.join(', ')}`, parseKinds)
    .option('--color-distance <n>', 'maximum distance of a color, by CIEDE2000 (default: 2)', parseDistance)
    .option('--expires <field>', 'custom field with a date after which an asset should not be used')
    .option('--markdown', 'print the findings as a table in Markdown')
    .option('--sarif <file>', 'also write the findings as SARIF 2.1.0, which code hosts display')
    .addOption(
      new Option(
        '--html [file]',
        'write a page with pictures of findings and assets to this file, or print it if no file is given',
      ).conflicts(['json', 'markdown']),
    )
    .option(
      '--fix',
      'replace copies, redrawn SVG files and exact colors by imports, where builds provably stay the same',
    )
    .option('--yes', 'with --fix: do not ask before writing')
    .option('--force', 'with --fix: even with uncommitted changes')
    .description(help)
    .action(async (paths: string[], flags: AuditFlags) => {
      const { note, fail, cwd, signal } = terminal
      const { report, failOn } = await withEngine(terminal, flags, async (engine, waiting) => {
        const { audit } = await import('./run.js')
        const { root } = engine.options
        const result = await audit(engine, {
          paths: paths.map((path) => relative(root, resolve(cwd, path)) || '.'),
          download: flags.download,
          colorDistance: flags.colorDistance,
          expires: flags.expires,
          signal,
          pictures: flags.html !== undefined,
          fix: flags.fix,
          force: flags.force,
          async confirm(fixes) {
            waiting.end()
            if (flags.json) return true
            for (const line of lineChanges(fixes.lines)) note(line)
            return flags.yes || !terminal.ask || /^(?:y|yes|)$/i.test(await terminal.ask('Write this? [Y/n] '))
          },
          onDownloads(count) {
            waiting.end()
            note(`downloading ${countText(count, 'SVG file')} for comparison; --no-download leaves them out`)
          },
        })
        return { report: result, failOn: flags.failOn ?? engine.options.audit.failOn }
      })
      const isFailed = report.findings.some(({ finding }) => failOn.includes(finding))
      const { markdownOf, writeSarif } = await import('./renderings.js')
      const html = flags.html === undefined ? undefined : await import('./html.js')
      if (flags.json) terminal.printJson(report)
      else if (flags.markdown) terminal.printAll(markdownOf(report).split('\n'))
      else if (html && flags.html === true) terminal.printAll(html.auditHtml(report).trimEnd().split('\n'))
      else await printAudit(report, isFailed, terminal)
      if (report.fixes && !flags.json) printLeft(report.fixes, terminal)
      if (html && typeof flags.html === 'string') {
        const { writePage } = await import('../shared/page/page.js')
        await writePage(resolve(cwd, flags.html), html.auditHtml(report), 'audit')
      }
      if (flags.sarif) await writeSarif(resolve(cwd, flags.sarif), report, readPackage().version)
      if (typeof flags.html === 'string') note(`wrote ${flags.html}`)
      if (isFailed) fail()
    })
}

function printLeft({ lines, unnamed, left, written }: Fixes, { note }: Terminal): void {
  for (const { file, line, import: id, reason } of left) note(`left: ${file}:${line}, because ${reason}. Import ${id}.`)
  if (!written) return note('Nothing was written.')
  note(`${countText(lines.length, 'line')} written. Run npx content-space sync to lock the new imports.`)
  if (unnamed.length === 0) return
  note('Nothing seems to refer to these copies any more. After a successful build, delete them:')
  note(`  git rm -- ${unnamed.map(quoted).join(' ')}`)
}

/** Quotes a path for a shell, if that is necessary. */
function quoted(path: string): string {
  return /^[\w./@-]+$/.test(path) ? path : `'${path.replaceAll("'", String.raw`'\''`)}'`
}

async function printAudit(report: AuditReport, isFailed: boolean, terminal: Terminal): Promise<void> {
  const { findings, files, large, unknown, unused } = report
  const { tableLines } = await import('../../terminal/table.js')
  const { findingText } = await import('../shared/findings/report.js')
  const rows = findings.map((one) => [
    paint('yellow', one.finding),
    `${one.file}:${one.line}`,
    findingText(one),
    paint('dim', one.import ?? ''),
  ])
  const columns = [{}, { shrink: 1, least: 20 }, { shrink: 2, least: 16 }, { optional: true }]
  terminal.printAll(tableLines(rows, { columns, width: terminal.columns }))
  const summary = `${countText(findings.length, 'finding')} in ${countText(files, 'file')}`
  // If the exit code is 0 despite findings, print the summary as neither a success nor a failure.
  terminal.print(findings.length === 0 || isFailed ? ended(summary, !isFailed, terminal) : summary)
  if (unknown > 0) terminal.note(`note: ${countText(unknown, 'picture')} of the kits could not be compared.`)
  if (large > 0)
    terminal.note(`note: ${countText(large, 'file')} of more than 16 MB could only be compared byte by byte.`)
  for (const entry of unused) terminal.note(`note: ${entry} in audit.ignore matches nothing. Remove it.`)
}
