import { rm } from 'node:fs/promises'
import { resolve } from 'node:path'
import type { BuildOptions, BuildResult, Loader, Metafile, Plugin, PluginBuild } from 'esbuild'
import { createEsbuildPlugin, type UnpluginOptions } from 'unplugin'
import { ContentSpaceError } from '../errors.js'
import type { FileDescriptor } from '../files/plan.js'
import { contentLiteral } from '../modules/literal.js'
import type { Expression } from '../modules/references.js'
import { consoleLog } from '../print.js'
import { readFile, writeFile } from './descriptors.js'
import { contentSpace, NAME, SOURCE, type Adapter } from './plugin.js'
import type { Session } from './session.js'
import { importStub } from './file-stubs.js'

/** Scheme of the files that our modules import, and namespace of what they resolve to. */
const FILE = 'content-space-file'

/** Modules and files of ours that a build puts into its output; undefined: any may be. */
type Survivors = Set<string> | undefined

/**
 * The family of esbuild, which loads every module before it knows which are used, and takes the bytes of a file with
 * it.
 *
 * So the first module of ours starts a second build beside the first, in memory and without files, that tells what
 * survives; the first waits for it and loads no other. Its bytes are the real ones from the start: hashes in names,
 * sizes in metafiles and what `serve` serves are right. The price is that everything is bundled twice.
 */
export function esbuildAdapter(session: Session): Adapter {
  let survivors: Promise<Survivors> | undefined
  let tryOut: (() => Promise<Survivors>) | undefined
  const survives = async (input: string) => (await survivors)?.has(input) ?? true

  return {
    prefix: '',
    references: (id) => ({
      layout: 'barrel',
      address,
      value: async (value) => ({
        code: contentLiteral((await survives(`${NAME}:${id}`)) ? await session.value(value) : ''),
      }),
    }),
    loading: () => void (survivors ??= tryOut?.()),
    options: {
      esbuild: {
        ...filters,
        setup(build) {
          const warnings = configure(session, build.initialOptions)
          const metafile = prepare(session, build.initialOptions)
          tryOut = () => survivorsOf(build, session)
          build.onStart(() => void (survivors = undefined))
          addFiles(build, async (path) => ((await survives(`${FILE}:${path}`)) ? session.file(readPath(path)) : ''))
          build.onEnd(async (result) => {
            if (session.options.emitFiles === false) await removeFiles(result, build.initialOptions)
            if (!metafile) Reflect.deleteProperty(result, 'metafile')
            if (result.errors.length === 0) await session.finish()
            return { warnings: warnings.splice(0) }
          })
          build.onDispose(() => void session.close())
        },
      },
    },
  }
}

/** The build that only tells what survives: the same modules, with something short in place of every file. */
function probeFamily(): Adapter {
  return {
    prefix: '',
    references: () => ({ layout: 'barrel', address, value: () => Promise.resolve({ code: '"?"' }) }),
    options: { esbuild: { ...filters, setup: (build) => addFiles(build, (path) => Promise.resolve(path)) } },
  }
}

/** Narrow, for each call that a filter lets through costs every file of the project a way to JavaScript and back. */
const filters: UnpluginOptions['esbuild'] = {
  onResolveFilter: /^content-space:/,
  onLoadFilter: new RegExp(`^content-space:|${SOURCE.source}`),
  // What a plugin changes keeps the loader that the build has for it.
  loader: (_code, id): Loader => (id.startsWith('content-space:') ? 'js' : 'default'),
}

function address(file: FileDescriptor): Expression {
  return importStub(`${FILE}:~${writeFile(file)}/${file.name}.${file.ext}`)
}

/** esbuild takes the name of the output from the path. */
function readPath(path: string): FileDescriptor {
  const at = path.indexOf('/')
  const file = readFile(path.slice(1, at))
  if (path.slice(at + 1) === `${file.name}.${file.ext}`) return file
  throw new ContentSpaceError('integrity', 'A reference to a file is not valid.', { asset: file.asset })
}

function addFiles(build: PluginBuild, contents: (path: string) => Promise<Uint8Array | string>): void {
  build.onResolve({ filter: new RegExp(`^${FILE}:`) }, ({ path }) => ({
    path: path.slice(FILE.length + 1),
    namespace: FILE,
  }))
  build.onLoad({ filter: /^/, namespace: FILE }, async ({ path }) => ({
    contents: await contents(path),
    loader: 'file',
  }))
}

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

/** @returns whether the user has asked for a metafile */
function prepare(session: Session, options: BuildOptions): boolean {
  const { publicPath, emitFiles } = session.options
  const { metafile = false } = options
  if (publicPath !== undefined) options.publicPath ??= publicPath
  if (options.platform === 'node' && options.publicPath === undefined) session.warnOfFileAddresses()
  if (emitFiles === false) options.metafile = true
  return metafile
}

async function survivorsOf({ esbuild, initialOptions }: PluginBuild, session: Session): Promise<Survivors> {
  // A session gives out a module once: the other build must not wait for what waits for it.
  const apart: Session = {
    ...session,
    module: async (_id, request, references) => (await session.importer()).module(request, references),
  }
  const probe = createEsbuildPlugin(contentSpace(probeFamily, () => apart))(session.options)
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
    // What is wrong with it is wrong with the build itself, which says so.
    return undefined
  }
}

/** The end of the other build is none that anything should be done about. */
function withoutEnd(plugin: Plugin): Plugin {
  return { ...plugin, setup: (build) => plugin.setup({ ...build, onEnd() {} }) }
}

function outputsOf(metafile: Metafile | undefined): [string, Metafile['outputs'][string]][] {
  return Object.entries(metafile?.outputs ?? {})
}

/** They are written all the same: esbuild gives names from bytes, and the client build must give the same. */
async function removeFiles(result: BuildResult, { absWorkingDir = process.cwd() }: BuildOptions): Promise<void> {
  const ours = outputsOf(result.metafile).filter(([, { inputs }]) =>
    Object.keys(inputs).some((path) => path.startsWith(`${FILE}:`)),
  )
  const paths = new Set(
    ours.filter(([path]) => !/\.[cm]?js(\.map)?$/.test(path)).map(([path]) => resolve(absWorkingDir, path)),
  )
  if (result.outputFiles) result.outputFiles = result.outputFiles.filter(({ path }) => !paths.has(path))
  else await Promise.all([...paths].map((path) => rm(path, { force: true })))
}
