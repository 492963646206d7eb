import { readFile, writeFile } from 'node:fs/promises'
import { dirname, posix, resolve } from 'node:path'
import type { BuildOptions, BuildResult } from 'esbuild'
import { messageOf } from '../../errors.js'
import type { Edit } from '../references/literal-edits.js'
import type { SplitText } from '../references/mark-text.js'
import { consoleLog } from '../../print.js'
import { scriptAddresses, type ScriptAddresses } from '../references/relative-url.js'
import type { Session } from '../session/session.js'

/**
 * Makes the declarations of a library independent of this package when the process has nothing else to do, because tsup
 * writes them in another thread and doesn't have a hook for their end.
 */
export function completeTypesAtExit(session: Session, { outdir, outfile = '', absWorkingDir }: BuildOptions): void {
  const folder = resolve(absWorkingDir ?? process.cwd(), outdir ?? dirname(outfile))
  async function complete(): Promise<void> {
    const { completeTypes } = await import('../library-types.js')
    await completeTypes(session, folder)
    await session.close()
  }
  process.once('beforeExit', () => {
    complete().catch((error: unknown) => {
      consoleLog.error(messageOf(error))
      process.exitCode = 1
    })
  })
}

/**
 * Replaces the URLs of content files in a library's scripts. esbuild writes them as paths relative to the script, but
 * in an application, they would be resolved relative to the page. The replacements are expressions that bundlers
 * follow.
 *
 * Also removes the ids of modules that esbuild writes into comments.
 * @param isContent checks whether an input in the metafile is a content file
 */
export async function relocate(
  result: BuildResult,
  options: BuildOptions,
  isContent: (input: string) => boolean,
): Promise<void> {
  const { format = 'iife' } = options
  const outputs = Object.entries(result.metafile?.outputs ?? {}).map(([path, { inputs }]) => ({
    path,
    inputs: Object.keys(inputs),
  }))
  const content = outputs.filter(({ path, inputs }) => inputs.some(isContent) && !SCRIPT.test(path))
  for (const { path, inputs } of outputs.filter((output) => SCRIPT.test(output.path))) {
    const script = outputFile(path, result, options)
    if (!inputs.some((input) => ID.test(input))) continue
    const code = await script.read()
    const addressed = scriptAddresses(path, code, format)
    const { literalEdits } = await import('../references/literal-edits.js')
    const addresses = content.map((file) => posix.relative(posix.dirname(path), file.path))
    const edits = await literalEdits(
      code,
      format === 'esm' ? 'module' : 'script',
      (text) => splitAt(text, addresses),
      async (address) => () => addressed.expression(address),
    )
    const comments = Array.from(code.matchAll(ID_IN_COMMENT), ({ index, 0: id }) => ({
      start: index,
      end: index + id.length,
      code: 'content-space',
    }))
    const map = options.sourcemap === undefined ? undefined : outputFile(`${path}.map`, result, options)
    await apply([...edits, ...comments], code, script, addressed, map)
  }
}

const SCRIPT = /\.[cm]?js$/
const ID = /^content-space[:-]/
const ID_IN_SOURCE = /content-space(?:-file)?:/
/** An empty map, which keeps generated modules out of the script's source map. */
const NO_SOURCE = JSON.stringify({ version: 3, sources: [], names: [], mappings: '' })
const ID_IN_COMMENT = /(?<=^ *\/\/ )content-space(?:-file)?:.*$/gm

/** Splits a string at the URLs of files, which may be only part of the string. */
function splitAt(text: string, addresses: readonly string[]): SplitText<string> {
  const written = addresses.map((path) => (path.startsWith('../') ? path : `./${path}`))
  const split: SplitText<string> = { targets: [], texts: [] }
  let rest = text
  for (let found = first(rest, written); found !== undefined; found = first(rest, written)) {
    split.targets.push(found.address)
    split.texts.push(rest.slice(0, found.at))
    rest = rest.slice(found.at + found.address.length)
  }
  split.texts.push(rest)
  return split
}

function first(text: string, addresses: readonly string[]): { at: number; address: string } | undefined {
  return addresses
    .map((address) => ({ at: text.indexOf(address), address }))
    .filter(({ at }) => at !== -1)
    .toSorted((a, b) => a.at - b.at || b.address.length - a.address.length)[0]
}

type OutputFile = ReturnType<typeof outputFile>

/**
 * Returns an output file of a build, on disk or in memory.
 * @param path as in the metafile
 */
export function outputFile(path: string, { outputFiles }: BuildResult, options: BuildOptions) {
  const absolute = resolve(options.absWorkingDir ?? process.cwd(), path)
  const inMemory = outputFiles?.find((file) => file.path === absolute)
  return {
    path,
    read: async (): Promise<string> => inMemory?.text ?? readFile(absolute, 'utf8'),
    async write(text: string): Promise<void> {
      if (inMemory) inMemory.contents = Buffer.from(text)
      else await writeFile(absolute, text)
    },
  }
}

/** Applies edits to a script and to its source map, if that is a separate file. */
async function apply(
  edits: readonly Edit[],
  code: string,
  script: OutputFile,
  addressed: ScriptAddresses,
  map?: OutputFile,
): Promise<void> {
  if (edits.length === 0) return
  const { MagicString } = await import('magic-string')
  const text = new MagicString(code)
  for (const { start, end, code: expression } of edits) text.update(start, end, expression)
  await addressed.complete(text)
  await script.write(text.toString())
  const before = await map?.read().catch(() => undefined)
  if (map === undefined || before === undefined) return
  const { default: remapping } = await import('@jridgewell/remapping')
  const edited = text.generateMap({ hires: 'boundary', source: script.path })
  const after = remapping([edited.toString(), before], (source) => (ID_IN_SOURCE.test(source) ? NO_SOURCE : null))
  await map.write(after.toString())
}
