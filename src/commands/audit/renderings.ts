import { replaceOwn } from '../../disk/replace-file.js'
import { oneLine } from '../../text/display.js'
import { code, escape } from '../../text/markdown.js'
import { countText } from '../../text/quantities.js'
import { findingText, rules, type AuditReport, type Finding } from '../shared/findings/report.js'

/** Renders findings as a table, for pull requests and comments. */
export function markdownOf({ findings, files }: AuditReport): string {
  const summary = `${countText(findings.length, 'finding')} in ${countText(files, 'file')}.`
  if (findings.length === 0) return summary
  const rows = findings.map((one) =>
    [code(`${one.file}:${one.line}`), one.finding, escape(findingText(one)), one.import ? code(one.import) : ''].join(
      ' | ',
    ),
  )
  const table = ['place | finding | content | import', '---|---|---|---', ...rows].map((row) => `| ${row} |`)
  return [summary, '', ...table].join('\n')
}

/**
 * Writes findings in the Static Analysis Results Interchange Format 2.1.0, which code hosts display beside the lines.
 * @param version of this package
 * @throws ContentSpaceError `fileSystem`, including when a file that `audit` didn't write is in the way
 */
export async function writeSarif(path: string, report: AuditReport, version: string): Promise<void> {
  await replaceOwn(path, sarifOf(report, version), (before) => before.includes('"name": "content-space"'))
}

function sarifOf({ findings }: AuditReport, version: string): string {
  const kinds = Object.entries(rules).map(([id, text]) => ({ id, shortDescription: { text } }))
  const log = {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [{ tool: { driver: { name: 'content-space', version, rules: kinds } }, results: findings.map(resultOf) }],
  }
  return `${JSON.stringify(log, null, 2)}\n`
}

function resultOf(finding: Finding): object {
  const { finding: ruleId, file, line, import: id } = finding
  const instead = id === undefined ? '' : ` Import ${id} instead.`
  return {
    ruleId,
    level: 'warning',
    message: { text: `${oneLine(findingText(finding))}.${instead}` },
    locations: [{ physicalLocation: { artifactLocation: { uri: encodeURI(file) }, region: { startLine: line } } }],
  }
}
