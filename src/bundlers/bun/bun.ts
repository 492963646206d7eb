import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createBunPlugin } from 'unplugin'
import type { Options } from '../../config/options.js'
import type { FileDescriptor } from '../../files/plan.js'
import { contentSpace, NAME, type Adapter } from '../plugin.js'
import { isolatedSession, probePlugins, probeReferences, type UsedInputs } from '../probe.js'
import { sha256 } from '../references/digest.js'
import { FILE, importFile, readFilePath, writeFilePath } from '../references/file-imports.js'
import { joinUrl, nameFor } from '../references/file-names.js'
import { isText, TEXT_ID } from '../reports.js'
import type { Session } from '../session/session.js'

// The parts of Bun's types that the adapter uses. We declare them here because the package with all its types declares
// globals.

interface BuildConfig {
  outdir?: string
  publicPath?: string
  naming?: string | { asset?: string }
  plugins?: Plugin[]
}

interface BuildOutput {
  success: boolean
  outputs: { path: string; kind: string; arrayBuffer(): Promise<ArrayBuffer>; text(): Promise<string> }[]
  metafile?: { outputs: Record<string, { inputs: Record<string, { bytesInOutput: number }> }> }
}

interface Plugin {
  name: string
  setup(build: PluginBuilder): unknown
}

type Loaded = { contents: Uint8Array | string; loader: 'file' | 'js' }

type Resolved = { path: string; namespace: string } | undefined

interface PluginBuilder {
  config: BuildConfig
  onStart(callback: () => Promise<void>): unknown
  onEnd(callback: (result: BuildOutput) => Promise<void>): unknown
  onResolve(
    filter: { filter: RegExp },
    callback: (args: { path: string; kind: string; importer: string }) => Resolved | Promise<Resolved>,
  ): unknown
  onLoad(filter: { filter: RegExp; namespace: string }, callback: (args: { path: string }) => Promise<Loaded>): unknown
}

declare const Bun: { build(config: object): Promise<BuildOutput> }

/**
 * Adapts the plugin to Bun, which loads every module before it knows which are used, and emits every file that it has
 * loaded.
 *
 * Each build therefore starts by running another build, the probe, with the same entries, in memory, and without
 * content files. The probe's metafile lists what is used. The actual build fetches and emits only the files in this
 * list. Unlike in esbuild, the probe can't start when the first generated module is loaded, because Bun doesn't start a
 * build while a plugin is loading a module.
 */
export function bunAdapter(session: Session): Adapter {
  let usedInputs: UsedInputs
  const isUsed = (input: string): boolean => usedInputs?.has(input) ?? true

  return {
    prefix: '',
    references: (id) => ({
      layout: 'barrel',
      address: importFile,
      value: async (value) => ({ code: isUsed(`${NAME}:${id}`) ? await session.literal(value) : '""' }),
    }),
    options: {
      bun: {
        loader: 'js',
        setup(build: PluginBuilder) {
          const { publicPath, emitFiles } = session.options
          if (publicPath !== undefined) build.config.publicPath ??= publicPath
          /** The digests of the content files in the output. */
          const emitted = new Set<string>()
          /** The application icons in use, by name. Bun can only add a file under a name that matches its pattern. */
          const icons = new Map<string, Uint8Array>()
          build.onStart(async () => void (usedInputs = await probeUsedInputs(build, session)))
          /** The paths of files in style sheets, which the probe doesn't list. */
          const inStyleSheets = new Set<string>()
          addStyleSheetHook(build, session, (path) => inStyleSheets.add(path))
          addFileHooks(build, async (path) => {
            if (!inStyleSheets.has(path) && !isUsed(`${FILE}:${path}`))
              return { contents: 'export default ""', loader: 'js' }
            const file = await readRenamedPath(path)
            const contents = await session.file(file)
            if (file.set !== undefined) {
              const name = `${file.name}.${file.ext}`
              icons.set(name, contents)
              const address = joinUrl(build.config.publicPath ?? '.', name)
              return { contents: `export default ${JSON.stringify(address)}`, loader: 'js' }
            }
            emitted.add(sha256(contents))
            return { contents, loader: 'file' }
          })
          build.onEnd(async (result) => {
            if (emitFiles === false) await removeFiles(result, build.config, emitted)
            else if (result.success && build.config.outdir !== undefined)
              for (const [name, bytes] of icons) await writeFile(join(build.config.outdir, name), bytes)
            if (result.success) {
              await warnOfIds(result, session)
              await session.finish()
            }
            await session.close()
          })
        },
      },
    },
  }
}

/** Sets up a build for the plugin that the entry exports. */
export function setUpBuild(build: PluginBuilder, options?: Options): unknown {
  return createBunPlugin(contentSpace(bunAdapter))(options).setup(withNarrowFilter(build))
}

/**
 * Narrows the hook's filter. Otherwise, unplugin passes every import to the hook, and the dev server's pages can't load
 * scripts by path.
 */
function withNarrowFilter(build: PluginBuilder): PluginBuilder {
  return {
    ...build,
    onResolve: ({ filter, ...where }, callback) =>
      build.onResolve({ filter: filter.source === '.*' ? /^content-space:/ : filter, ...where }, callback),
  }
}

/** Returns the adapter of the probe, which uses a short text in place of each file's bytes. */
function probeAdapter(session: Session): Adapter {
  return {
    prefix: '',
    references: () => probeReferences,
    options: {
      bun: {
        loader: 'js',
        setup(build: PluginBuilder) {
          addStyleSheetHook(build, session, () => {})
          addFileHooks(build, async (path) => ({ contents: path, loader: 'file' }))
        },
      },
    },
  }
}

/** Resolves ids in `url()` to files. unplugin's resolver would resolve them to scripts, but it is called later. */
function addStyleSheetHook(build: PluginBuilder, session: Session, onFile: (path: string) => void): void {
  build.onResolve({ filter: /^content-space:/ }, async ({ path, kind, importer }) => {
    // Bun 1.4 reports a different kind than its documentation says.
    if (kind !== 'url-token' && kind !== 'internal') return undefined
    const { filesOfId } = await import('../markup/files.js')
    const { file } = await filesOfId(session, path, importer)
    const renamed = renamePath(writeFilePath(file), file, build.config)
    onFile(renamed)
    return { path: renamed, namespace: FILE }
  })
}

function addFileHooks(build: PluginBuilder, load: (path: string) => Promise<Loaded>): void {
  build.onResolve({ filter: new RegExp(`^${FILE}:`) }, async ({ path }) => {
    const written = path.slice(FILE.length + 1)
    return { path: renamePath(written, await readFilePath(written), build.config), namespace: FILE }
  })
  build.onLoad({ filter: /^/, namespace: FILE }, ({ path }) => load(path))
}

/** Replaces the name in a file's path, because Bun derives the name of the output from it. */
function renamePath(path: string, file: FileDescriptor, { naming }: BuildConfig): string {
  const pattern = typeof naming === 'object' ? naming.asset : undefined
  return `${path.slice(0, path.indexOf('/'))}/${nameFor(file, pattern)}.${file.ext}`
}

/** Reads the descriptor in a path that `renamePath` has made. */
async function readRenamedPath(path: string): Promise<FileDescriptor> {
  const { readDescriptor } = await import('../references/read-descriptors.js')
  return readDescriptor(path.slice(1, path.indexOf('/')))
}

async function probeUsedInputs({ config }: PluginBuilder, session: Session): Promise<UsedInputs> {
  const isolated = isolatedSession(session)
  const probe = createBunPlugin(contentSpace(probeAdapter, isolated))(session.options)
  const plugins = probePlugins<PluginBuilder, Plugin>(config.plugins, probe)
  const inMemory = { outdir: undefined, compile: undefined, sourcemap: 'none', metafile: true, throw: true }
  try {
    const { metafile } = await Bun.build({ ...config, ...inMemory, plugins })
    const inputs = Object.values(metafile?.outputs ?? {}).flatMap((output) => Object.entries(output.inputs))
    return metafile && new Set(inputs.filter(([, { bytesInOutput }]) => bytesInOutput > 0).map(([input]) => input))
  } catch {
    // The build itself reports the same errors.
    return undefined
  }
}

async function warnOfIds({ outputs }: BuildOutput, session: Session): Promise<void> {
  const read = outputs
    .filter(({ path }) => isText(path))
    .map(async (output) => [output.path, await output.text()] as const)
  const texts = (await Promise.all(read)).filter(([, text]) => TEXT_ID.test(text))
  if (texts.length === 0) return
  const { warnOfTextIds } = await import('../text-ids.js')
  await warnOfTextIds(session, texts, [])
}

/**
 * Removes the content files of a build. The build has to emit them before we remove them, because Bun derives names
 * from the bytes, and the names must be the same as in the client build.
 */
async function removeFiles(result: BuildOutput, { outdir }: BuildConfig, digests: Set<string>): Promise<void> {
  for (const output of result.outputs.filter(({ kind }) => kind === 'asset')) {
    if (!digests.has(sha256(new Uint8Array(await output.arrayBuffer())))) continue
    result.outputs.splice(result.outputs.indexOf(output), 1)
    if (outdir !== undefined) await rm(output.path)
  }
}
