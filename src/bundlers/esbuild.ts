import { rm } from 'node:fs/promises'
import { resolve } from 'node:path'
import type { BuildOptions, BuildResult, Loader, Metafile, Plugin, PluginBuild } from 'esbuild'
import { createEsbuildPlugin, type UnpluginOptions } from 'unplugin'
import { ContentSpaceError } from '../errors.js'
import type { FileDescriptor } from '../files/plan.js'
import type { Expression } from '../modules/references.js'
import { consoleLog } from '../print.js'
import { contentSpace, NAME, SCRIPT, type Adapter } from './plugin.js'
import { writeDescriptor } from './references/descriptors.js'
import { importStub } from './references/file-stubs.js'
import type { Session } from './session/session.js'

/** The scheme by which generated modules import files, and the namespace to which it resolves. */
const FILE = 'content-space-file'

/** The generated modules and files in the output of a build. Undefined if unknown: all then count as used. */
type UsedInputs = Set<string> | undefined

/**
 * esbuild loads every module, and the bytes of its files, before it knows which are used.
 *
 * The first generated module therefore starts a second build, the probe: the same entries, in memory and without
 * content files. Its metafile lists what is used. The first build waits for this list, and fetches only the files in
 * it. Files have their final bytes from the start, so hashes in names, sizes in metafiles and the files of `serve` are
 * correct. The cost is that everything is bundled twice.
 */
export function esbuildAdapter(session: Session): Adapter {
  let usedInputs: Promise<UsedInputs> | undefined
  let startProbe: (() => Promise<UsedInputs>) | undefined
  const isUsed = async (input: string): Promise<boolean> => (await usedInputs)?.has(input) ?? true

  return {
    prefix: '',
    references: (id) => ({
      layout: 'barrel',
      address,
      value: async (value) => ({ code: (await isUsed(`${NAME}:${id}`)) ? await session.literal(value) : '""' }),
    }),
    beforeLoad: () => void (usedInputs ??= startProbe?.()),
    options: {
      esbuild: {
        ...filters,
        setup(build) {
          const warnings = configure(session, build.initialOptions)
          const userMetafile = prepareOptions(session, build.initialOptions)
          startProbe = () => probeUsedInputs(build, session)
          build.onStart(() => void (usedInputs = undefined))
          addFileHooks(build, async (path) =>
            (await isUsed(`${FILE}:${path}`)) ? session.file(await readPath(path)) : '',
          )
          build.onEnd(async (result) => {
            if (session.options.emitFiles === false) await removeFiles(result, build.initialOptions)
            if (!userMetafile) Reflect.deleteProperty(result, 'metafile')
            if (result.errors.length === 0) await session.finish()
            return { warnings: warnings.splice(0) }
          })
          build.onDispose(() => void session.close())
        },
      },
    },
  }
}

/** The adapter of the probe: each file has a short text in place of its bytes. */
function probeAdapter(): Adapter {
  return {
    prefix: '',
    references: () => ({ layout: 'barrel', address, value: () => Promise.resolve({ code: '"?"' }) }),
    options: { esbuild: { ...filters, setup: (build) => addFileHooks(build, (path) => Promise.resolve(path)) } },
  }
}

/** The filters accept as few files as possible, because esbuild calls JavaScript for each file that they accept. */
const filters: UnpluginOptions['esbuild'] = {
  onResolveFilter: /^content-space:/,
  onLoadFilter: new RegExp(`^content-space:|${SCRIPT.source}`),
  // A file that the plugin transforms keeps the loader of the build.
  loader: (_code, id): Loader => (id.startsWith('content-space:') ? 'js' : 'default'),
}

function address(file: FileDescriptor): Expression {
  return importStub(`${FILE}:~${writeDescriptor(file)}/${file.name}.${file.ext}`)
}

/**
 * Reads the descriptor in a path. The path ends with a file name, from which esbuild names the output.
 * @throws ContentSpaceError `integrity` for a path that `address` did not write
 */
async function readPath(path: string): Promise<FileDescriptor> {
  const { readDescriptor } = await import('./references/read-descriptors.js')
  const at = path.indexOf('/')
  const file = readDescriptor(path.slice(1, at))
  if (path.slice(at + 1) === `${file.name}.${file.ext}`) return file
  throw new ContentSpaceError('integrity', 'A reference to a content file is invalid.', { asset: file.asset })
}

function addFileHooks(build: PluginBuild, contents: (path: string) => Promise<Uint8Array | string>): void {
  build.onResolve({ filter: new RegExp(`^${FILE}:`) }, ({ path }) => ({
    path: path.slice(FILE.length + 1),
    namespace: FILE,
  }))
  build.onLoad({ filter: /^/, namespace: FILE }, async ({ path }) => ({
    contents: await contents(path),
    loader: 'file',
  }))
}

/** @returns a list that receives the warnings of the session, for the result of the build */
function configure(session: Session, options: BuildOptions): { text: string }[] {
  const warnings: { text: string }[] = []
  const quiet = ['silent', 'error', 'warning'].includes(options.logLevel ?? 'info')
  session.configure({
    root: options.absWorkingDir ?? process.cwd(),
    log: {
      info: (message) => quiet || consoleLog.info(message),
      warn: (text) => void warnings.push({ text }),
    },
  })
  return warnings
}

/** @returns whether the user asks for a metafile */
function prepareOptions(session: Session, options: BuildOptions): boolean {
  const { publicPath, emitFiles } = session.options
  const { metafile = false } = options
  if (publicPath !== undefined) options.publicPath ??= publicPath
  if (options.platform === 'node' && options.publicPath === undefined) session.warnOfFileUrls()
  if (emitFiles === false) options.metafile = true
  return metafile
}

/** Runs the probe. */
async function probeUsedInputs({ esbuild, initialOptions }: PluginBuild, session: Session): Promise<UsedInputs> {
  // The probe does not use the module cache: cached modules wait for the probe, so it would wait for itself.
  const isolated: Session = {
    ...session,
    module: async (_id, request, references) => (await session.importer()).module(request, references),
  }
  const probe = createEsbuildPlugin(contentSpace(probeAdapter, () => isolated))(session.options)
  const plugins = initialOptions.plugins?.map((plugin) => (plugin.name === NAME ? probe : withoutEnd(plugin)))
  const options: BuildOptions = {
    ...initialOptions,
    write: false,
    metafile: true,
    sourcemap: false,
    logLevel: 'silent',
  }
  try {
    const { metafile } = await esbuild.build({ ...options, plugins: plugins ?? [] })
    return new Set(outputsOf(metafile).flatMap(([, { inputs }]) => Object.keys(inputs)))
  } catch {
    // The build itself has the same errors, and reports them.
    return undefined
  }
}

/** Returns a plugin of the user without its `onEnd`, which must not see the output of the probe. */
function withoutEnd(plugin: Plugin): Plugin {
  return { ...plugin, setup: (build) => plugin.setup({ ...build, onEnd() {} }) }
}

function outputsOf(metafile: Metafile | undefined): [string, Metafile['outputs'][string]][] {
  return Object.entries(metafile?.outputs ?? {})
}

/**
 * Removes the content files of a build. They are emitted first, because esbuild makes names from bytes, and the names
 * must be those of the client build.
 */
async function removeFiles(result: BuildResult, { absWorkingDir = process.cwd() }: BuildOptions): Promise<void> {
  const withContent = outputsOf(result.metafile).filter(([, { inputs }]) =>
    Object.keys(inputs).some((path) => path.startsWith(`${FILE}:`)),
  )
  const paths = new Set(
    withContent.filter(([path]) => !/\.[cm]?js(\.map)?$/.test(path)).map(([path]) => resolve(absWorkingDir, path)),
  )
  if (result.outputFiles) result.outputFiles = result.outputFiles.filter(({ path }) => !paths.has(path))
  else await Promise.all([...paths].map((path) => rm(path, { force: true })))
}
