import * as v from 'valibot'
import { abortable } from '../../async/abortable.js'
import { resolveTokenFile, tokenFormats, type TokenFile, type TokenFormat } from '../../config/token-files.js'
import { abortSignal, checkEach, text, type Checks } from '../../config/validate.js'
import type { Engine } from '../../engine/engine.js'
import { writeAttribute } from '../../source/html.js'
import { interruptible } from '../shared/interrupted.js'
import { loadTokenFile, writeOutdated } from '../../engine/sync/token-files.js'

/** Options of `Importer.tokens`. */
export interface TokensOptions extends Omit<TokenFile, 'file'> {
  /** The file to write, relative to the root of the project. */
  out: string
  signal?: AbortSignal | undefined
}

/** The result of `Importer.tokens`. */
export interface TokensReport {
  /** Uuid. */
  kit: string
  name: string
  version: number
  /** Absolute path. */
  file: string
  format: TokenFormat
  colors: number
  fonts: number
  /** Absolute paths of the files that have changed. */
  written: string[]
  /** An element for the `<head>` of a page for each font with a file: `<link rel="preload" as="font" …>` */
  preload: string[]
  /** Whether the lockfile has changed. */
  locked: boolean
  warnings: string[]
}

const checks = {
  kit: [text, 'a kit'],
  out: [text, 'the path of a file'],
  format: [v.picklist(tokenFormats), `one of ${tokenFormats.join(', ')}`],
  prefix: [v.string(), 'a string'],
  fonts: [text, 'the path of a folder'],
  dark: [text, 'the name of a section'],
  signal: abortSignal,
} as const satisfies Checks<keyof TokensOptions>

/** @internal */
export async function tokens(engine: Engine, request: TokensOptions): Promise<TokensReport> {
  checkEach(request, checks, 'tokens', ['kit', 'out'])
  const { out, signal = new AbortController().signal, ...rest } = request
  const target = resolveTokenFile({ ...rest, file: out }, engine.options.root)
  return interruptible(signal, async () => {
    const loaded = await abortable(loadTokenFile(target, engine, 'pull'), signal)
    await engine.errors.checkFrozen()
    const written = await writeOutdated(loaded)
    const locked = await engine.lock.save()
    const { colors, fonts, named } = loaded.tokens
    const { uuid, name, version } = named.kit
    return {
      kit: uuid,
      name,
      version,
      file: target.file,
      format: target.format,
      colors: colors.size,
      fonts: fonts.size,
      written,
      preload: loaded.plan.preload.map(preloadLink),
      locked,
      warnings: engine.stats.summary().warnings,
    }
  })
}

/**
 * Returns a preload link. Browsers request fonts without credentials, even from the same origin, so a preload needs
 * `crossorigin`.
 */
function preloadLink({ href, type }: { href: string; type?: string }): string {
  const typed = type === undefined ? '' : ` type="${type}"`
  return `<link rel="preload" as="font"${typed} ${writeAttribute('href', href)} crossorigin>`
}
