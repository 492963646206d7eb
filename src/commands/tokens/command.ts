import { relative, resolve } from 'node:path'
import { Command } from 'commander'
import { attempt } from '../../async/attempt.js'
import { endings, resolveTokenFile, tokenFormats } from '../../config/token-files.js'
import type { TokensOptions, TokensReport } from './run.js'
import type { Engine } from '../../engine/engine.js'
import { omitUndefined } from '../../text/omit-undefined.js'
import { countText } from '../../text/quantities.js'
import {
  choiceOption,
  kitName,
  optionsOutsideProjects,
  outOption,
  throwUsage,
  withEngine,
  type CommonFlags,
} from '../../terminal/flags.js'
import { ended } from '../../terminal/marks.js'
import type { Terminal } from '../../terminal/terminal.js'

type TokensFlags = CommonFlags & Omit<TokensOptions, 'kit' | 'signal'> & { preload?: boolean }

const help = `
Examples:
  npx content-space tokens brand --out src/tokens.css
  npx content-space tokens brand --out theme.css --format tailwind --fonts fonts

The end of the name tells the format:
${endings}.
Option tokens of the configuration keeps such files up to date.`

export function command(terminal: Terminal): Command {
  return new Command('tokens')
    .summary('write the colors and fonts of a kit to a file: CSS, Tailwind, Sass, design tokens or TypeScript')
    .argument('<kit>', `${kitName}, optionally with @<version>, such as brand@2`)
    .addOption(outOption('file to write; a file that content-space did not write is never changed', 'file'))
    .addOption(choiceOption('--format <format>', 'format of the file (default: by its name)', tokenFormats))
    .option('--prefix <prefix>', "first word of each name, or '' (default for some formats: the kit's alias or slug)")
    .option('--fonts <folder>', 'write the font files to this folder, for tools without the plugin')
    .option('--dark <section>', 'section or heading with the colors for dark backgrounds, paired by name')
    .option('--preload', 'print a <link> for the head of a page for each font file')
    .description(help)
    .action(async (kit: string, flags: TokensFlags) => {
      const { signal, cwd } = terminal
      const { format, prefix, out, dark } = flags
      const fonts = flags.fonts === undefined ? undefined : resolve(cwd, flags.fonts)
      const rest = omitUndefined({ format, prefix, fonts, dark })
      // Reject a file name without a format, and an invalid prefix, before loading anything.
      attempt(() => resolveTokenFile({ kit, file: out, ...rest }, cwd), throwUsage)
      const options = await optionsOutsideProjects(terminal, flags)
      const work = async (engine: Engine): Promise<TokensReport> => {
        const { tokens } = await import('./run.js')
        return tokens(engine, { kit, out: resolve(cwd, out), signal, ...rest })
      }
      printTokens(await withEngine(terminal, flags, work, { options }), flags, terminal)
    })
}

function printTokens(report: TokensReport, { json, preload }: TokensFlags, terminal: Terminal): void {
  const { print, printJson, note, cwd } = terminal
  const [file, ...written] = [report.file, ...report.written].map((path) => relative(cwd, path))
  if (json) return printJson({ ...report, file, written })
  const contents = `${countText(report.colors, 'color')} and ${countText(report.fonts, 'font')} of ${report.name}`
  // Print only the elements to stdout, so that users can redirect them to a file.
  const tell = preload ? note : print
  const outcome = written.length === 0 ? `${file} is up to date` : `wrote ${written.join(', ')}`
  tell(ended(`${outcome}: ${contents}`, true, terminal))
  if (preload) for (const line of report.preload) print(line)
  report.warnings.forEach(terminal.warn)
}
