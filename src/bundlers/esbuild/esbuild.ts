import { mkdir, rm, writeFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import type { BuildOptions, BuildResult, Metafile, OnLoadResult, Plugin, PluginBuild } from 'esbuild'
import { createEsbuildPlugin, type UnpluginOptions } from 'unplugin'
import { messageOf } from '../../errors.js'
import type { FileDescriptor } from '../../files/plan.js'
import { consoleLog } from '../../print.js'
import {
  COMPUTED,
  computedErrors,
  contentSpace,
  isPlainScript,
  MISPLACED,
  misplacedErrors,
  NAME,
  type Adapter,
} from '../plugin.js'
import { addStyleSheetHooks } from '../markup/esbuild.js'
import { isLibrary } from './late.js'
import { completeTypesAtExit, outputFile, relocate } from './library.js'
import { isolatedSession, probePlugins, probeReferences, type UsedInputs } from '../probe.js'
import { sha256 } from '../references/digest.js'
import { FILE, importFile, readFilePath } from '../references/file-imports.js'
import { joinUrl, nameFor } from '../references/file-names.js'
import { isText, showFrame, TEXT_ID } from '../reports.js'
import type { Session } from '../session/session.js'
import { unbundledId } from '../unbundled.js'

/**
 * Adapts the plugin to esbuild, which loads every module and the bytes of its files before it knows which of them are
 * used.
 *
 * The first generated module therefore starts a second build, the probe, with the same entries, in memory, and without
 * content files. Its metafile lists what is used. The first build waits for this list and fetches only the files in it.
 * Because files have their final bytes from the start, hashes in names, sizes in metafiles, and the files of `serve`
 * are correct. The cost is that everything is bundled twice.
 *
 * A rebuild doesn't need a probe while its modules refer only to files that an earlier build used: if a file is no
 * longer used, esbuild leaves it out, and its bytes are already in the cache.
 */
export function esbuildAdapter(session: Session): Adapter {
  let buildOptions: BuildOptions = {}
  let usedInputs: Promise<UsedInputs> | undefined
  let usedBefore: UsedInputs
  let startProbe: (() => Promise<UsedInputs>) | undefined
  const probe = async (): Promise<UsedInputs> => {
    usedInputs ??= startProbe?.()
    usedBefore = (await usedInputs) ?? usedBefore
    return usedInputs
  }
  const isUsed = async (input: string): Promise<boolean> =>
    usedBefore?.has(input) || ((await probe())?.has(input) ?? true)

  return {
    prefix: '',
    leavesOut: () => true,
    collectsErrors: true,
    readsImporter: (file) => isScriptOnDisk(file, buildOptions),
    references: (id) => ({
      layout: 'barrel',
      address: importFile,
      value: async (value) => ({ code: (await isUsed(`${NAME}:${id}`)) ? await session.literal(value) : '""' }),
    }),
    beforeLoad: () => void (usedBefore ?? probe()),
    options: {
      esbuild: {
        ...filters,
        config: addStyleSheetHooks(session, resolveFile),
        setup(build) {
          buildOptions = build.initialOptions
          const warnings = configure(session, build.initialOptions)
          if (isLibrary(build.initialOptions)) completeTypesAtExit(session, build.initialOptions)
          const keepsMetafile = prepareOptions(session, build.initialOptions)
          startProbe = () => probeUsedInputs(build, session)
          build.onStart(() => void (usedInputs = undefined))
          followContext(build, session, keepsMetafile)
          /** The application icons in use, by name. */
          const icons = new Map<string, Uint8Array>()
          build.onStart(() => icons.clear())
          addFileHooks(build, async (path, file) => {
            const used = await isUsed(`${FILE}:${path}`)
            const uri = used && isDataUrl(file, build.initialOptions) && (await session.small(file, () => true))
            if (uri) return { contents: Buffer.from(uri.replace(/.*,/, ''), 'base64'), loader: 'dataurl' }
            const bytes = used ? await session.file(file) : ''
            if (file.set === undefined) return { contents: bytes, loader: 'file' }
            const name = `${file.name}.${file.ext}`
            if (bytes !== '') icons.set(name, Buffer.from(bytes))
            const address = joinUrl(build.initialOptions.publicPath ?? '.', name)
            return { contents: `export default ${JSON.stringify(address)}`, loader: 'js' }
          })
          build.onEnd(async (result) => {
            const { initialOptions } = build
            const errors = [
              ...unbundledIds(result, initialOptions),
              ...(await wrongIds(session, result, initialOptions)),
            ]
              .filter((error) => !session.reports.isRepeated(error))
              .map((error) => ({ text: messageOf(error) }))
            const isComplete = result.errors.length + errors.length === 0
            // Remove the output, because esbuild writes it before this hook.
            if (errors.length > 0) await removeOutputs(result, initialOptions, () => true)
            else if (session.options.emitFiles === false) await removeOutputs(result, initialOptions, isContentFile)
            else await addIcons(result, initialOptions, icons)
            if (isComplete && isLibrary(initialOptions)) await relocate(result, initialOptions, isContent)
            if (isComplete) await session.finish()
            return { errors, warnings: reported(warnings, initialOptions) }
          })
        },
      },
    },
  }
}

/** The real plugin, which the entry loads at the first id. */
export const esbuild = createEsbuildPlugin(contentSpace(esbuildAdapter))

/**
 * Checks for new content if the build belongs to a context, which may watch or serve. esbuild doesn't tell plugins
 * about a context, but it disposes of a single build immediately.
 * @param keepsMetafile whether the metafile stays in results; otherwise it is removed after all plugins have read it
 */
function followContext(build: PluginBuild, session: Session, keepsMetafile: boolean): void {
  let timer: NodeJS.Timeout | undefined
  let isRegistered = false
  function follow(): void {
    session.configure({ command: 'watch' })
    // If this fails, the next build's hooks report the error.
    session.watchedFile().catch(() => {})
  }
  function end(result: BuildResult): void {
    if (!keepsMetafile) Reflect.deleteProperty(result, 'metafile')
    timer ??= setTimeout(follow, contextMilliseconds).unref()
  }
  build.onStart(() => {
    // esbuild runs hooks one after another in the order of registration. By now, all plugins have registered theirs.
    if (isRegistered) session.begin()
    else build.onEnd(end)
    isRegistered = true
  })
  build.onDispose(() => {
    clearTimeout(timer)
    session.close().catch((error: unknown) => consoleLog.error(messageOf(error)))
  })
}

const contextMilliseconds = 100

/** Returns the adapter of the probe, which uses a short text in place of each file's bytes. */
function probeAdapter(session: Session, options: BuildOptions): Adapter {
  return {
    prefix: '',
    readsImporter: (file) => isScriptOnDisk(file, options),
    references: () => probeReferences,
    options: {
      esbuild: {
        ...filters,
        config: addStyleSheetHooks(session, resolveFile),
        setup: (build) => addFileHooks(build, async (path) => ({ contents: path, loader: 'file' })),
      },
    },
  }
}

/** Checks whether the configuration inlines files of this kind in scripts and style sheets. */
function isDataUrl({ ext }: FileDescriptor, { loader }: BuildOptions): boolean {
  return loader?.[`.${ext}`] === 'dataurl'
}

/** The filters accept only ids, because esbuild calls JavaScript for each module that they accept. */
const filters: UnpluginOptions['esbuild'] = {
  onResolveFilter: /^content-space:/,
  onLoadFilter: /^content-space:/,
  loader: 'js',
}

/**
 * Resolves a content file. The path identifies the file and ends with a name, which esbuild uses for the output. The
 * path is short, because esbuild writes it into comments.
 */
function resolveFile(file: FileDescriptor, { assetNames }: BuildOptions) {
  const id = sha256(JSON.stringify(file)).slice(0, 16)
  return { path: `${id}/${nameFor(file, assetNames)}.${file.ext}`, namespace: FILE, pluginData: file }
}

function addFileHooks(build: PluginBuild, load: (path: string, file: FileDescriptor) => Promise<OnLoadResult>): void {
  build.onResolve({ filter: new RegExp(`^${FILE}:`) }, async ({ path }) =>
    resolveFile(await readFilePath(path.slice(FILE.length + 1)), build.initialOptions),
  )
  // esbuild resolves a path relative to the importing module, but generated modules aren't in any folder.
  build.onResolve({ filter: /\/components\/runtime\/[\w-]+\.js$/, namespace: NAME }, ({ path }) => ({
    path: resolve(path),
  }))
  build.onLoad({ filter: /^/, namespace: FILE }, ({ path, pluginData }) =>
    load(path, pluginData).catch((error: unknown) => Promise.reject(showFrame(error))),
  )
}

/**
 * Prints the warnings of a build, because esbuild doesn't print warnings that a plugin returns at the end. The default
 * log level of its JavaScript API is `warning`: https://esbuild.github.io/api/#log-level
 * @returns the warnings, for the result of the build
 */
function reported(warnings: { text: string }[], { logLevel = 'warning' }: BuildOptions): { text: string }[] {
  const ended = warnings.splice(0)
  if (logLevel !== 'silent' && logLevel !== 'error') for (const { text } of ended) consoleLog.warn(text)
  return ended
}

/** @returns a list that collects the session's warnings for the result of the build */
function configure(session: Session, options: BuildOptions): { text: string }[] {
  const warnings: { text: string }[] = []
  const quiet = ['silent', 'error', 'warning'].includes(options.logLevel ?? 'info')
  session.configure({
    root: options.absWorkingDir ?? process.cwd(),
    mayWatch: true,
    log: {
      info: (message) => quiet || consoleLog.info(message),
      warn: (text) => void warnings.push({ text }),
    },
  })
  return warnings
}

/** @returns whether the user requested a metafile */
function prepareOptions(session: Session, options: BuildOptions): boolean {
  const { publicPath } = session.options
  const { metafile = false } = options
  if (publicPath !== undefined) options.publicPath ??= publicPath
  if (options.platform === 'node' && options.publicPath === undefined && !isLibrary(options)) session.warnOfFileUrls()
  options.metafile = true
  return metafile
}

/** Checks whether a file on disk has the same imports as the code that esbuild reads. */
function isScriptOnDisk(file: string, { stdin, absWorkingDir = process.cwd() }: BuildOptions): boolean {
  const given = stdin?.sourcefile && resolve(stdin.resolveDir ?? absWorkingDir, stdin.sourcefile)
  return file !== given && isPlainScript(file)
}

/** Returns an error for each file with an id that remains in the output because the build doesn't bundle. */
function unbundledIds({ metafile }: BuildResult, { bundle, absWorkingDir = process.cwd() }: BuildOptions) {
  if (bundle) return []
  return outputsOf(metafile).flatMap(([path, { imports, entryPoint = '' }]) => {
    const id = imports.find((one) => one.path.startsWith('content-space:'))?.path
    return id === undefined ? [] : unbundledId(id, path).with({ importer: resolve(absWorkingDir, entryPoint) })
  })
}

/** Returns an error with the location of each id in the output that is composed at run time or remains plain text. */
async function wrongIds(session: Session, result: BuildResult, options: BuildOptions) {
  const { absWorkingDir = process.cwd(), outExtension, outdir, outfile } = options
  const extension = outExtension?.['.js'] ?? '.js'
  // Without an output path, names in the metafile differ from the files, which may be written to stdout.
  const hasPath = outdir !== undefined || outfile !== undefined
  const read = async (path: string): Promise<string> =>
    hasPath ? outputFile(path, result, options).read() : (result.outputFiles ?? []).map(({ text }) => text).join('\n')
  const sources = new Set<string>()
  const all = new Set<string>()
  const texts: [path: string, text: string][] = []
  for (const output of outputsOf(result.metafile)) {
    const [path, { inputs, entryPoint }] = output
    const isRead = entryPoint !== undefined || path.endsWith(extension) || isText(path)
    if (!isRead || isContentFile(output)) continue
    const text = await read(path)
    const files = Object.keys(inputs).map((input) => resolve(absWorkingDir, input.replace(/\?.*/, '')))
    if (TEXT_ID.test(text)) {
      texts.push([path, text])
      for (const file of files) all.add(file)
    }
    if (COMPUTED.test(text) || MISPLACED.test(text)) for (const file of files) sources.add(file)
  }
  if (texts.length > 0 && session.host.command === 'build') {
    const { warnOfTextIds } = await import('../text-ids.js')
    await warnOfTextIds(session, texts, all)
  }
  const misplaced = await misplacedErrors(session, sources)
  return [...(await computedErrors(session, sources)), ...misplaced.map(showFrame)]
}

async function probeUsedInputs({ esbuild: api, initialOptions }: PluginBuild, session: Session): Promise<UsedInputs> {
  const isolated = isolatedSession(session)
  const probe = createEsbuildPlugin(contentSpace((shared) => probeAdapter(shared, initialOptions), isolated))(
    session.options,
  )
  const plugins = probePlugins<PluginBuild, Plugin>(initialOptions.plugins, probe)
  const inMemory: BuildOptions = { write: false, metafile: true, sourcemap: false, logLevel: 'silent' }
  try {
    const { metafile } = await api.build({ ...initialOptions, ...inMemory, plugins })
    return new Set(outputsOf(metafile).flatMap(([, { inputs }]) => Object.keys(inputs)))
  } catch {
    // The build itself reports the same errors.
    return undefined
  }
}

function outputsOf(metafile: Metafile | undefined): Output[] {
  return Object.entries(metafile?.outputs ?? {})
}

/** Checks whether an input in the metafile is a content file. */
function isContent(input: string): boolean {
  return input.startsWith(`${FILE}:`)
}

type Output = [path: string, output: Metafile['outputs'][string]]

/**
 * Checks whether an output is a content file. Without the option `emitFiles`, content files are emitted first and then
 * removed, because esbuild derives names from the bytes, and the names must be the same as in the client build.
 */
function isContentFile([path, { inputs }]: Output): boolean {
  return Object.keys(inputs).some(isContent) && !/\.[cm]?js(\.map)?$/.test(path)
}

async function removeOutputs(
  result: BuildResult,
  { absWorkingDir = process.cwd() }: BuildOptions,
  isRemoved: (output: Output) => boolean,
): Promise<void> {
  const removed = outputsOf(result.metafile).filter(isRemoved)
  const paths = new Set(removed.map(([path]) => resolve(absWorkingDir, path)))
  if (result.outputFiles) result.outputFiles = result.outputFiles.filter(({ path }) => !paths.has(path))
  else await Promise.all([...paths].map((path) => rm(path, { force: true })))
}

/**
 * Adds application icons to the root of the output. esbuild can only add a file under a name that matches its pattern.
 */
async function addIcons(
  result: BuildResult,
  { absWorkingDir = process.cwd(), outdir, outfile }: BuildOptions,
  icons: ReadonlyMap<string, Uint8Array>,
): Promise<void> {
  const folder = outdir ?? (outfile === undefined ? undefined : dirname(outfile))
  if (folder === undefined || result.errors.length > 0) return
  for (const [name, contents] of icons) {
    const path = join(resolve(absWorkingDir, folder), name)
    if (result.outputFiles) {
      const text = Buffer.from(contents).toString()
      result.outputFiles.push({ path, contents, hash: sha256(contents), text })
    } else {
      await mkdir(dirname(path), { recursive: true })
      await writeFile(path, contents)
    }
  }
}
