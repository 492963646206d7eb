import type { IncomingMessage, ServerResponse } from 'node:http'
import { posix, relative, resolve } from 'node:path'
import type { CompilationContext, Compiler, JsPlugin, ResolvedUserConfig, Resource, UserConfig } from '@farmfe/core'
import { messageOf } from '../../errors.js'
import type { FileDescriptor } from '../../files/plan.js'
import { NAME, type Adapter } from '../plugin.js'
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

type Resources = Record<string, Resource>

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
  const report = (error: unknown): void => session.host.log.error(messageOf(error))
  const follow = contentFollower(session, report)
  let configFile: string | undefined
  let build: ReturnType<typeof contentBuilder> | undefined

  return {
    prefix: '',
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
            // `farm watch` doesn't set an option, so check `NODE_ENV`. Farm itself sets `NODE_ENV` before it resolves
            // the configuration.
            command: config.compilation?.watch || process.env['NODE_ENV'] === 'development' ? 'watch' : 'build',
          })
          files.serveFrom({ base: publicPath.startsWith('/') ? publicPath : '/', origin: '' })
          if (targetEnv?.startsWith('node') && configuredPath === undefined && publicPath === './')
            session.warnOfFileUrls()
        },
        async configureCompiler(compiler) {
          if (session.host.command !== 'watch') return
          build = contentBuilder(compiler, session)
          follow(build)
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
      },
      async writeBundle() {
        if (session.host.command === 'serve') return
        await session.finish()
        if (session.host.command === 'build') await session.close()
      },
    },
    lateOptions: {
      farm: {
        // Farm rewrites entry scripts after plugins with the default priority.
        priority: 1,
        transform: styleSheetHook(session, files, marks),
        resolve: resolveAgain,
        finalizeResources: {
          executor: ({ resourcesMap }: { resourcesMap: Resources }) =>
            emit(session, marks, files, resourcesMap, output).catch((error: unknown) =>
              Promise.reject(showFrame(error)),
            ),
        },
        /** This is also called after a rebuild of a changed source. */
        writeResources: { executor: () => void build?.().catch(report) },
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

/**
 * Limits hooks to ids in Farm itself, because unplugin's filters accept all modules and call JavaScript for each. Farm
 * doesn't watch files for content, because it fails if two of them change at once.
 */
export function onlyForIds<O>(create: (options?: O) => JsPlugin | JsPlugin[]): (options?: O) => JsPlugin[] {
  return (options) =>
    [create(options)].flat().map((plugin) => {
      const { name, resolve: resolving, load, transform } = plugin
      if (transform) return { ...plugin, transform: { ...transform, executor: unwatched(transform.executor) } }
      if (name !== NAME || !resolving || !load) return plugin
      return {
        ...plugin,
        resolve: { filters: { sources: [ID], importers: ['.*'] }, executor: unwatched(resolving.executor) },
        load: { filters: { resolvedPaths: [ID] }, executor: unwatched(load.executor) },
      }
    })
}

function unwatched<P, R, H>(execute: (params: P, context?: CompilationContext, hook?: H) => R): typeof execute {
  return (params, context, hook) => execute(params, context && { ...context, addWatchFile: () => {} }, hook)
}

/** Part of the path of every generated module. */
const ID = 'content-space:'

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
function contentBuilder(compiler: Compiler, session: Session) {
  const missed: TextChanges[] = []
  let turn: Promise<unknown> = Promise.resolve()
  updateInTurn(compiler)
  async function build(): Promise<void> {
    const all = missed.splice(0)
    await rebuild(compiler, session, all).catch((error: unknown) => {
      missed.unshift(...all)
      throw error
    })
  }
  return (changes?: TextChanges): Promise<void> => {
    if (changes) missed.push(changes)
    const building = turn.then(build)
    turn = building.catch(() => {})
    return building
  }
}

/**
 * Makes updates wait for each other. If Farm receives an update while another one is running and one of them fails, it
 * loses an update.
 */
function updateInTurn(compiler: Compiler): void {
  const update = compiler.update.bind(compiler)
  let turn: Promise<unknown> = Promise.resolve()
  compiler.update = (...given) => {
    const [, , isPart] = given
    if (isPart) return update(...given)
    const updating = turn.then(() => update(...given))
    turn = updating.catch(() => {})
    return updating
  }
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
    const isImported = (): boolean => compiler.getParentFiles(path).some((parent) => !parent.includes(ID))
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

/**
 * Replaces the marks in all scripts and style sheets and the ids in all pages, and adds the files to which they refer.
 * Gives each file the origin of its resource, because with a cache on disk, Farm removes resources without a known
 * origin.
 */
async function emit(
  session: Session,
  marks: LastingMarks,
  files: DevFiles,
  resources: Resources,
  { publicPath, format, template }: Record<'publicPath' | 'format' | 'template', string>,
): Promise<Resources> {
  const all = { ...resources }

  /** @returns the name of the file */
  async function add(file: FileDescriptor, { origin }: Resource): Promise<string> {
    const bytes = await session.file(file)
    const name = fileName(template, file, bytes)
    if (session.options.emitFiles !== false)
      all[name] = { name, bytes: [...bytes], emitted: false, resourceType: file.ext, origin }
    return encodePath(name)
  }

  async function resolveTarget(target: MarkTarget, resource: Resource): Promise<() => string> {
    if ('value' in target) {
      const literal = await session.literal(target.value)
      return () => literal
    }
    const name = await add(target.file, resource)
    return () => JSON.stringify(joinUrl(publicPath, name))
  }

  /** A relative public path is relative to the output folder. */
  async function addressFrom(resource: Resource, file: FileDescriptor): Promise<string> {
    if (session.host.command === 'serve') return files.address(file)
    const name = await add(file, resource)
    if (publicPath !== '' && !publicPath.startsWith('.')) return joinUrl(publicPath, name)
    return posix.relative(posix.dirname(resource.name), name)
  }

  async function replaceIn(resource: Resource, text: string): Promise<string> {
    if (/\.html?$/.test(resource.name))
      return replaceInPage(session, text, resource.name, (file) => addressFrom(resource, file))
    return replaceInStyleSheet(marks, text, (file) => addressFrom(resource, file))
  }

  await Promise.all(
    Object.entries(resources).map(async ([key, resource]) => {
      if (!/\.(?:[cm]?js|css|html?)$/.test(resource.name)) return
      const code = Buffer.from(resource.bytes).toString()
      const text = /\.[cm]?js$/.test(resource.name)
        ? await marks.replace(code, format === 'esm' ? 'module' : 'script', (target) => resolveTarget(target, resource))
        : await replaceIn(resource, code)
      if (text && text.toString() !== code) all[key] = { ...resource, bytes: [...Buffer.from(text.toString())] }
    }),
  )
  if (session.host.command !== 'build') return all
  const texts = Object.values(all)
    .filter(({ name }) => isText(name))
    .map(({ name, bytes }): [path: string, text: string] => [name, Buffer.from(bytes).toString()])
    .filter(([, text]) => TEXT_ID.test(text))
  if (texts.length > 0) {
    const { warnOfTextIds } = await import('../text-ids.js')
    await warnOfTextIds(session, texts, [])
  }
  return all
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
