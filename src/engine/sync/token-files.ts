import { existsSync } from 'node:fs'
import { join, relative } from 'node:path'
import type { ResolvedOptions } from '../../config/options.js'
import type { ResolvedTokenFile } from '../../config/token-files.js'
import { ContentSpaceError } from '../../errors.js'
import type { Files } from '../../files/files.js'
import { chosenCounterpart } from '../../kit/dark-pairs.js'
import { isNameOf } from '../../kit/lookup.js'
import { assetIn } from '../../kit/named-kit.js'
import { kitShortId } from '../../kit/short-ids.js'
import type { UsedBy } from '../../lock/schema.js'
import type { LockSession } from '../../lock/session.js'
import { allPresent } from '../../space/offline.js'
import { parseKit } from '../../request/request.js'
import type { Use } from '../../source/use.js'
import { tokensUse, type Tokens } from '../../tokens/load.js'

export interface TokenContext {
  options: Pick<ResolvedOptions, 'root' | 'kits' | 'tokens' | 'darkMode'>
  tokens: Pick<Tokens, 'load' | 'warn'>
  lock: Pick<LockSession, 'kits' | 'record' | 'slugOf'>
  files: Pick<Files, 'use'>
}

/**
 * A token file with its inputs, and the absolute paths of outdated files on disk, each with a function that writes the
 * file.
 */
type LoadedTokenFile = Awaited<ReturnType<typeof loadTokenFile>>

/**
 * Writes the files of option `tokens` that have changed.
 * @returns their absolute paths
 * @throws ContentSpaceError like `loadTokenFile`; errors name the file that they concern
 */
export async function writeTokenFiles(context: TokenContext, signal?: AbortSignal): Promise<string[]> {
  const loaded = await loadTokenFiles(context)
  signal?.throwIfAborted()
  return [...new Set((await Promise.all(loaded.map(writeOutdated))).flat())]
}

/** Returns the files of option `tokens` as uses of all colors and fonts in their kits. */
export function tokenFileUses({ root, tokens }: Pick<ResolvedOptions, 'root' | 'tokens'>): Use[] {
  return tokens.map(({ kit, file }) => {
    const path = relative(root, file).replaceAll('\\', '/')
    return { specifier: `content-space:tokens/${kit}`, file: path, line: 1 }
  })
}

/** Returns the files that are out of date, one line each. */
export async function checkTokenFiles(context: TokenContext): Promise<string[]> {
  return linesOf(await loadTokenFiles(context), context)
}

/**
 * Writes missing files, as in a fresh clone.
 * @returns the differences of the other files, one line each
 */
export async function writeMissingTokenFiles(context: TokenContext): Promise<string[]> {
  const loaded = await loadTokenFiles(context)
  const existing = loaded.map((file) => withPaths(file, existsSync))
  await Promise.all(loaded.map((file) => writeOutdated(withPaths(file, (path) => !existsSync(path)))))
  return linesOf(existing, context)
}

async function loadTokenFiles(context: TokenContext): Promise<LoadedTokenFile[]> {
  const { root, tokens } = context.options
  const loaded = await allPresent(
    tokens.map((target) =>
      loadTokenFile(target, context).catch((error: unknown) => {
        if (!(error instanceof ContentSpaceError)) throw error
        throw error.with({ importer: `option tokens, ${relative(root, target.file)}` })
      }),
    ),
  )
  checkFonts(loaded)
  return loaded
}

function linesOf(loaded: readonly LoadedTokenFile[], { options }: TokenContext): string[] {
  const paths = loaded.flatMap(({ outdated }) => [...outdated.keys()])
  return [...new Set(paths)].map((path) => `${relative(options.root, path)} is out of date`)
}

/**
 * Loads the colors and fonts of a kit, and compares a token file with them.
 * @throws ContentSpaceError any error of the space or a download; `fileSystem`
 */
export async function loadTokenFile(target: ResolvedTokenFile, context: TokenContext, by?: UsedBy) {
  const { options, lock, files } = context
  const { planTokenFile } = await import('../../tokens/plan.js')
  const { outdatedFiles } = await import('./write-token-files.js')
  const reference = parseKit(target.kit, options.kits)
  const tokens = await context.tokens.load(reference, target.fonts !== undefined)
  const { uuid } = tokens.named.kit
  lock.record(tokens.named, reference.version, tokensUse, by)
  const slug = lock.slugOf(tokens.named)
  const shortId = lock.kits()[uuid]?.shortId ?? kitShortId(tokens.named.kit)
  const name = nameOfKit(target.kit, { uuid, slug, shortId }, options.kits)
  const darkMode = options.darkMode === 'media' ? undefined : options.darkMode
  const darkOf = (asset: string) => chosenCounterpart(tokens.named, assetIn(tokens.named, asset))?.uuid
  const plan = planTokenFile(target, { root: options.root, id: target.kit, name, darkMode, darkOf }, tokens)
  const file = relative(options.root, target.file)
  if (target.dark !== undefined && !plan.isPaired) {
    const groups = new Set([...tokens.colors.values()].flatMap(({ group }) => group))
    context.tokens.warn(`${file}: ${target.dark} pairs no colors. Colors are in ${[...groups].join(', ')}.`)
  }
  for (const font of plan.notImported)
    context.tokens.warn(`${file} does not import font ${font.name} from ${font.stylesheet}`)
  return { target, tokens, plan, outdated: await outdatedFiles(target, plan, files) }
}

/** @throws ContentSpaceError `invalidOption` if two files need different fonts with the same name */
function checkFonts(loaded: readonly LoadedTokenFile[]): void {
  const fonts = new Map<string, string>()
  for (const { target, plan } of loaded) {
    for (const [name, file] of plan.fonts) {
      const path = join(target.fonts ?? '', name)
      const text = JSON.stringify(file)
      if ((fonts.get(path) ?? text) !== text) {
        throw new ContentSpaceError('invalidOption', `Two entries of option tokens write different fonts to ${path}.`, {
          hint: 'Set option fonts of one of them to another folder.',
        })
      }
      fonts.set(path, text)
    }
  }
}

function withPaths(file: LoadedTokenFile, isWanted: (path: string) => boolean): LoadedTokenFile {
  return { ...file, outdated: new Map([...file.outdated].filter(([path]) => isWanted(path))) }
}

/** Writes the files that differ, in order. @returns their absolute paths */
export async function writeOutdated({ outdated }: LoadedTokenFile): Promise<string[]> {
  for (const write of outdated.values()) await write()
  return [...outdated.keys()]
}

/** Returns the alias of a kit in the given spelling, or otherwise the kit's slug. */
function nameOfKit(id: string, named: Parameters<typeof isNameOf>[1], kits: ResolvedOptions['kits']): string {
  const [written = ''] = id.split('@')
  if (kits.has(written)) return written
  return [...kits].find(([, { kit }]) => isNameOf(kit, named))?.[0] ?? named.slug
}
