import type { IncomingMessage, ServerResponse } from 'node:http'
import { extname, posix, relative, resolve } from 'node:path'
import type { CompilationContext, Compiler, JsPlugin, ResolvedUserConfig, Resource, UserConfig } from '@farmfe/core'
import { createFarmPlugin } from 'unplugin'
import type { Options } from '../../config/options.js'
import { messageOf } from '../../errors.js'
import type { FileDescriptor } from '../../files/plan.js'
import {
  COMPUTED,
  computedErrors,
  contentSpace,
  isPlainScript,
  MISPLACED,
  misplacedErrors,
  SCRIPT,
  type Adapter,
} from '../plugin.js'
import type { MarkTarget } from '../references/descriptors.js'
import { replaceInPage, replaceInStyleSheet, styleSheetHook } from '../markup/farm.js'
import { devFiles, type DevFiles, type Middleware } from '../references/dev-files.js'
import { sha256 } from '../references/digest.js'
import { joinUrl, nameFor } from '../references/file-names.js'
import { openLastingMarks, type LastingMarks } from '../references/marks.js'
import { encodePath } from '../references/relative-url.js'
import { isText, readableIds, showFrame, TEXT_ID } from '../reports.js'
import type { TextChanges } from '../session/live-texts.js'
import type { Session } from '../session/session.js'
import { isWatching, updateInTurn } from './late.js'

/** The properties of a Koa context that the dev server's middleware uses. */
interface KoaContext {
  req: IncomingMessage
  res: ServerResponse
  respond?: boolean
}

/**
 * Replaces marks in finished scripts. The adapter names the files itself, because Farm doesn't have a hook that emits
 * them.
 */
export function farmAdapter(session: Session): Adapter {
  const files = devFiles(session)
  const marks = openLastingMarks()
  const middleware = files.middleware((error) => session.host.log.warn(error.message))
  // Farm runs configured middlewares before its own, which answers every path.
  const serveFiles = () => (context: KoaContext, next: () => Promise<void>) => serve(middleware, context, next)
  const output = { publicPath: '/', format: 'esm', template: '' }
  const emitInto = (resources: Resources) =>
    emit(session, marks, files, resources, output).catch((error: unknown) => Promise.reject(showFrame(error)))
  const report = (error: unknown): void => session.host.log.error(messageOf(error))
  const follow = contentFollower(session, report)
  let configFile: string | undefined
  let finished: Compiler | undefined

  return {
    prefix: '',
    // A dev server builds a script again without resolving its imports.
    readsImporter: (file) => session.host.command === 'build' && isPlainScript(file),
    transformed: SCRIPT,
    // In watch mode, Farm doesn't report when a build starts, so each build reports all errors.
    leavesOut: () => session.host.command === 'build',
    references: () => (session.host.command === 'serve' ? files.references : marks.references),
    options: {
      farm: {
        config(config: UserConfig) {
          // Read the template now, because Farm later adds a default, which lacks the placeholders of `assetFileNames`.
          output.template = fileNameTemplate(session, config.compilation?.output?.assetsFilename)
          return {
            ...config,
            server: { ...config.server, middlewares: [serveFiles, ...(config.server?.middlewares ?? [])] },
          }
        },
        configResolved(config: ResolvedUserConfig) {
          const { publicPath = '/', format = 'esm', targetEnv } = config.compilation?.output ?? {}
          const configuredPath = session.options.publicPath
          Object.assign(output, { publicPath: configuredPath ?? publicPath, format })
          configFile = config.configFilePath
          session.configure({
            root: config.root ?? process.cwd(),
            mode: config.compilation?.mode ?? 'production',
            command: isWatching(config) ? 'watch' : 'build',
          })
          files.serveFrom({ base: publicPath.startsWith('/') ? publicPath : '/', origin: '' })
          if (targetEnv?.startsWith('node') && configuredPath === undefined && publicPath === './')
            session.warnOfFileUrls()
        },
        async configureCompiler(compiler) {
          finished = compiler
          if (session.host.command !== 'watch') return
          follow(contentBuilder(compiler, session, report))
          if (configFile === undefined) return
          const before = watching.get(configFile)
          watching.set(configFile, session)
          if (before !== session) await before?.close()
        },
        // Farm determines which importers accept a new module, and reloads the page if none does.
        configureDevServer(server) {
          session.configure({ command: 'serve', connected: () => (server.ws?.clients.size ?? 0) > 0 })
          follow(async (changes) => server.hmrEngine?.hmrUpdate(pathsOf(session, changes.modules, changes.files), true))
        },
        finish: {
          async executor(_: unknown, context?: CompilationContext) {
            const { command } = session.host
            if (command === 'serve') return
            if (command === 'build' && finished && context) await emitFiles(finished, session, emitInto, context)
            await session.finish()
            if (command === 'build') await session.close()
          },
        },
      },
    },
    lateOptions: {
      farm: {
        // Farm rewrites entry scripts after plugins with the default priority.
        priority: 1,
        transform: styleSheetHook(session, files, marks),
        resolve: resolveAgain,
        // Farm passes each byte of the output as a number, so a build adds its files later, in `finish`.
        finalizeResources: {
          async executor({ resourcesMap }: { resourcesMap: Record<string, Resource> }) {
            if (session.host.command === 'build') return undefined
            const all = { ...resourcesMap }
            for (const [name, { bytes, from }] of await emitInto(resourcesMap)) {
              const { origin } = Object(resourcesMap[from])
              const added = { name, emitted: false, resourceType: extname(name).slice(1), origin }
              all[name] = { ...(resourcesMap[name] ?? added), bytes: [...bytes] }
            }
            return all
          },
        },
        // If its cache is enabled, Farm doesn't reload modules that a package in node_modules imports, so their marks
        // are cached too.
        pluginCacheLoaded: { executor: (saved: number[]) => marks.restore(Buffer.from(saved).toString()) },
        writePluginCache: { executor: () => [...Buffer.from(marks.save())] },
      },
    },
    // Farm passes a path relative to its root, but unplugin resolves it relative to the working directory.
    importerPath: (importer) => resolve(session.host.root, relative(process.cwd(), importer)),
  }
}

/** The real plugins, which the entry loads at the first id. */
export const farm: (options?: Options) => JsPlugin[] = (options) =>
  [createFarmPlugin(contentSpace(farmAdapter))(options)].flat().map(unwatched)

/** Farm doesn't watch files for content, because it fails if two of them change at once. */
function unwatched(plugin: JsPlugin): JsPlugin {
  const { resolve: resolving, load, transform } = plugin
  return {
    ...plugin,
    ...(resolving && { resolve: { ...resolving, executor: withoutWatching(resolving.executor) } }),
    ...(load && { load: { ...load, executor: withoutWatching(load.executor) } }),
    ...(transform && { transform: { ...transform, executor: withoutWatching(transform.executor) } }),
  }
}

function withoutWatching<P, R, H>(execute: (params: P, context?: CompilationContext, hook?: H) => R): typeof execute {
  return (params, context, hook) => execute(params, context && { ...context, addWatchFile: () => {} }, hook)
}

/**
 * The sessions by configuration file. If that file changes, Farm starts again with another instance of this plugin. The
 * previous instance isn't notified and would overwrite the new instance's output.
 */
const watching = new Map<string, Session>()

/** Returns a function that sets how modules are replaced when content changes. */
function contentFollower(session: Session, report: (error: unknown) => void) {
  let stop: (() => void) | undefined
  return (replace: (changes: TextChanges) => Promise<unknown>): void => {
    stop?.()
    stop = session.onChange((changes) => void replace(changes).catch(report))
  }
}

/** Returns a function that builds changes, including earlier changes that failed because the source was wrong. */
function contentBuilder(compiler: Compiler, session: Session, report: (error: unknown) => void) {
  const missed: TextChanges[] = []
  let turn: Promise<unknown> = Promise.resolve()
  const write = compiler.writeResourcesToDisk.bind(compiler)
  if (!Object.hasOwn(compiler, 'update')) updateInTurn(compiler)
  // Farm also writes after it has rebuilt a changed source.
  compiler.writeResourcesToDisk = () => {
    write()
    if (missed.length > 0) builder().catch(report)
  }
  async function build(): Promise<void> {
    const all = missed.splice(0)
    await rebuild(compiler, session, all).catch((error: unknown) => {
      missed.unshift(...all)
      throw error
    })
  }
  function builder(changes?: TextChanges): Promise<void> {
    if (changes) missed.push(changes)
    const building = turn.then(build)
    turn = building.catch(() => {})
    return building
  }
  return builder
}

/** Returns the absolute paths of modules. Farm's ids are paths relative to the root. */
function pathsOf({ host }: Session, ...ids: Iterable<string>[]): string[] {
  return [...new Set(ids.flatMap((some) => [...some]))].map((id) => resolve(host.root, id))
}

/** Rebuilds changed modules, except generated modules that have failed and may no longer be imported. */
async function rebuild(compiler: Compiler, session: Session, changes: TextChanges[]): Promise<void> {
  const modules = new Set(changes.flatMap((one) => [...one.modules]))
  const importers = [...modules].flatMap((id) => session.origins.ofModule(id)?.importer ?? [])
  const generated = [...modules].filter((id) => {
    const [path = ''] = pathsOf(session, [id])
    const isImported = (): boolean => compiler.getParentFiles(path).some((parent) => !parent.includes('content-space:'))
    const last = changes.findLast((one) => one.modules.has(id))
    return compiler.hasModule(path) && (!last?.failed.has(id) || isImported())
  })
  const files = changes.flatMap((one) => [...one.files])
  // A source may have been removed in the meantime.
  const paths = pathsOf(session, generated, files, importers).filter((path) => compiler.hasModule(path))
  if (paths.length === 0) return
  await compiler.update(paths, true).catch(({ message }: Error) => {
    // Farm's compiler throws a list of messages as JSON.
    throw new Error(readableIds(message.startsWith('["') ? JSON.parse(message).join('\n') : message))
  })
  compiler.writeResourcesToDisk()
}

/** Farm resolves the path of a module again when it replaces the module. */
const resolveAgain = {
  filters: { importers: ['.*'], sources: ['^/.*content-space:[a-z-]+/[\\w-]*/~'] },
  executor: ({ source }: { source: string }) => ({
    resolvedPath: source.slice(source.indexOf('content-space:')),
    query: [],
    sideEffects: false,
    external: false,
    meta: {},
  }),
}

async function serve(middleware: Middleware, context: KoaContext, next: () => Promise<void>): Promise<void> {
  const { req, res } = context
  // Koa sets 404 before it calls middlewares.
  res.statusCode = 200
  await new Promise<void>((done, fail) => {
    res.once('close', done)
    middleware(req, res, () => {
      res.statusCode = 404
      next().then(done, fail)
    })
  })
  if (res.writableEnded) context.respond = false
}

/** The output of Farm by name. */
type Resources = Record<string, { bytes: Uint8Array | number[] }>

/** Files that differ from the output of Farm, or are added to it, by name. */
type Changes = Map<string, { bytes: Uint8Array; from: string }>

/** Adds the files of a finished build to the output, and replaces the files that refer to them. */
async function emitFiles(
  compiler: Compiler,
  session: Session,
  emitInto: (resources: Resources) => Promise<Changes>,
  context: CompilationContext,
): Promise<void> {
  const resources = Object.entries(compiler.resources())
  const scripts = resources.filter(([name]) => /\.[cm]?js$/.test(name)).map(([, bytes]) => String(bytes))
  if (scripts.some((code) => COMPUTED.test(code) || MISPLACED.test(code))) {
    const sources = compiler.resolvedModulePaths(session.host.root)
    const errors = [...(await computedErrors(session, sources)), ...(await misplacedErrors(session, sources))]
    const text = errors.map((error) => messageOf(showFrame(error))).join('\n\n')
    // Farm prints the stack, too.
    if (text !== '') throw Object.assign(new Error(text), { stack: `ContentSpaceError: ${text}` })
  }
  const changes = await emitInto(Object.fromEntries(resources.map(([name, bytes]) => [name, { bytes }])))
  for (const [name, { bytes }] of changes)
    context.emitFile({ resolvedPath: name, name, content: [...bytes], resourceType: extname(name).slice(1) })
}

/** Replaces the marks in all scripts and style sheets and the ids in all pages. */
async function emit(
  session: Session,
  marks: LastingMarks,
  files: DevFiles,
  resources: Resources,
  { publicPath, format, template }: Record<'publicPath' | 'format' | 'template', string>,
): Promise<Changes> {
  const changes: Changes = new Map()

  /**
   * @param from the file that refers to this one. With a cache on disk, Farm removes resources without a known origin.
   * @returns the name of the file
   */
  async function add(file: FileDescriptor, from: string): Promise<string> {
    const bytes = await session.file(file)
    const name = fileName(template, file, bytes)
    if (session.options.emitFiles !== false) changes.set(name, { bytes, from })
    return encodePath(name)
  }

  async function resolveTarget(target: MarkTarget, from: string): Promise<() => string> {
    if ('value' in target) {
      const literal = await session.literal(target.value)
      return () => literal
    }
    const name = await add(target.file, from)
    return () => JSON.stringify(joinUrl(publicPath, name))
  }

  /** A relative public path is relative to the output folder. */
  async function addressFrom(from: string, file: FileDescriptor): Promise<string> {
    if (session.host.command === 'serve') return files.address(file)
    const name = await add(file, from)
    if (publicPath !== '' && !publicPath.startsWith('.')) return joinUrl(publicPath, name)
    return posix.relative(posix.dirname(from), name)
  }

  async function replaceIn(name: string, text: string): Promise<string> {
    if (/\.html?$/.test(name)) return replaceInPage(session, text, name, (file) => addressFrom(name, file))
    return replaceInStyleSheet(marks, text, (file) => addressFrom(name, file))
  }

  await Promise.all(
    Object.entries(resources).map(async ([name, { bytes }]) => {
      if (!/\.(?:[cm]?js|css|html?)$/.test(name)) return
      const code = Buffer.from(bytes).toString()
      const text = /\.[cm]?js$/.test(name)
        ? await marks.replace(code, format === 'esm' ? 'module' : 'script', (target) => resolveTarget(target, name))
        : await replaceIn(name, code)
      if (text && text.toString() !== code) changes.set(name, { bytes: Buffer.from(text.toString()), from: name })
    }),
  )
  if (session.host.command !== 'build') return changes
  const texts = [...Object.entries(resources), ...changes]
    .filter(([name]) => isText(name))
    .map(([name, { bytes }]): [path: string, text: string] => [name, Buffer.from(bytes).toString()])
    .filter(([, text]) => TEXT_ID.test(text))
  if (texts.length > 0) {
    const { warnOfTextIds } = await import('../text-ids.js')
    await warnOfTextIds(session, texts, [])
  }
  return changes
}

/** Returns the option `assetFileNames`, or else Farm's setting for its own assets, or else the option's default. */
function fileNameTemplate({ options }: Session, assetsFilename: string | undefined): string {
  const farmTemplate = assetsFilename
    ?.replace('[resourceName]', '[name]')
    .replace('[contentHash]', '[hash]')
    .replace('.[ext]', '[extname]')
  return options.assetFileNames ?? farmTemplate ?? 'assets/[name]-[hash][extname]'
}

function fileName(template: string, file: FileDescriptor, bytes: Uint8Array): string {
  if (file.set !== undefined) return `${file.name}.${file.ext}`
  const hash = sha256(bytes)
  const { ext } = file
  return template
    .replaceAll('[name]', nameFor(file, template))
    .replaceAll('[extname]', `.${ext}`)
    .replaceAll('[ext]', ext)
    .replace(/\[hash(?::(\d+))?\]/g, (_, length: string | undefined) => hash.slice(0, Number(length ?? 8)))
}
