import { createHash } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { relative, resolve } from 'node:path'
import type { Resource, ResolvedUserConfig, UserConfig } from '@farmfe/core'
import type { FileDescriptor } from '../files/plan.js'
import { contentLiteral } from '../modules/literal.js'
import { devFiles, type Middleware } from './dev-files.js'
import type { Adapter } from './plugin.js'
import { encodePath, joinUrl } from './rollup.js'
import type { Session } from './session.js'
import { openLastingTokens, type Slot, type Tokens } from './tokens.js'

type Resources = Record<string, Resource>

/** The one thing that Farm's server, which is Koa's, has to do for us. */
interface KoaContext {
  req: IncomingMessage
  res: ServerResponse
  respond?: boolean
}

/**
 * The family of Farm: tokens are replaced in the finished scripts; names and addresses of files are ours, for Farm has
 * no hook.
 */
export function farmAdapter(session: Session): Adapter {
  const files = devFiles(session)
  const tokens = openLastingTokens()
  const middleware = files.middleware((error) => session.host.log.warn(error.message))
  // Farm puts those of the configuration before its own, which answers every path.
  const serveFiles = () => (context: KoaContext, next: () => Promise<void>) => answer(middleware, context, next)
  const output = { publicPath: '/', format: 'esm', template: '' }

  return {
    prefix: '',
    references: () => (session.host.command === 'serve' ? files.references : tokens.references),
    options: {
      farm: {
        config(config: UserConfig) {
          // Farm completes it with a default that has none of our option's words.
          output.template = template(session, config.compilation?.output?.assetsFilename)
          return {
            ...config,
            server: { ...config.server, middlewares: [serveFiles, ...(config.server?.middlewares ?? [])] },
          }
        },
        configResolved(config: ResolvedUserConfig) {
          const { publicPath = '/', format = 'esm', targetEnv } = config.compilation?.output ?? {}
          const own = session.options.publicPath
          Object.assign(output, { publicPath: own ?? publicPath, format })
          session.configure({
            root: config.root ?? process.cwd(),
            mode: config.compilation?.mode ?? 'production',
            command: config.compilation?.watch ? 'watch' : 'build',
          })
          files.serveFrom({ base: publicPath.startsWith('/') ? publicPath : '/', origin: '' })
          if (targetEnv?.startsWith('node') && own === undefined && publicPath === './') session.warnOfFileAddresses()
        },
        configureDevServer: () => session.configure({ command: 'serve' }),
      },
      async writeBundle() {
        if (session.host.command === 'serve') return
        await session.finish()
        if (session.host.command === 'build') await session.close()
      },
    },
    last: {
      farm: {
        // Farm writes entries anew after plugins of its usual priority.
        priority: 1,
        finalizeResources: {
          executor: ({ resourcesMap }: { resourcesMap: Resources }) => emit(session, tokens, resourcesMap, output),
        },
        // Modules that a package in node_modules imports are not loaded again while Farm has them in its cache.
        pluginCacheLoaded: { executor: (saved: number[]) => tokens.restore(Buffer.from(saved).toString()) },
        writePluginCache: { executor: () => [...Buffer.from(tokens.save())] },
      },
    },
    // unplugin resolves against the working directory what Farm says relative to its root
    importer: (from) => resolve(session.host.root, relative(process.cwd(), from)),
  }
}

async function answer(middleware: Middleware, context: KoaContext, next: () => Promise<void>): Promise<void> {
  const { req, res } = context
  // Koa begins with 404.
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
 * Replaces the tokens of all scripts and adds the files they stand for.
 * A file has the origin of the script that shows it: with a cache on disk, Farm drops what comes from none of its own.
 */
async function emit(
  session: Session,
  tokens: Tokens,
  resources: Resources,
  { publicPath, format, template: names }: { publicPath: string; format: string; template: string },
): Promise<Resources> {
  const all = { ...resources }
  const scripts = Object.entries(resources).filter(([, { name }]) => /\.[cm]?js$/.test(name))
  const fill = async (slot: Slot, { origin }: Resource) => {
    if ('value' in slot) {
      const value = contentLiteral(await session.value(slot.value))
      return () => value
    }
    const bytes = await session.file(slot.file)
    const name = outputName(names, slot.file, bytes)
    if (session.options.emitFiles !== false)
      all[name] = { name, bytes: [...bytes], emitted: false, resourceType: slot.file.ext, origin }
    return () => JSON.stringify(joinUrl(publicPath, encodePath(name)))
  }
  await Promise.all(
    scripts.map(async ([key, resource]) => {
      const text = await tokens.fill(
        Buffer.from(resource.bytes).toString(),
        format === 'esm' ? 'module' : 'script',
        (slot) => fill(slot, resource),
      )
      if (text) all[key] = { ...resource, bytes: [...Buffer.from(text.toString())] }
    }),
  )
  return all
}

/** Option `assetFileNames`, else what Farm is told for its own assets, else the option's default. */
function template({ options }: Session, assetsFilename: string | undefined): string {
  const farms = assetsFilename
    ?.replace('[resourceName]', '[name]')
    .replace('[contentHash]', '[hash]')
    .replace('.[ext]', '[extname]')
  return options.assetFileNames ?? farms ?? 'assets/[name]-[hash][extname]'
}

function outputName(names: string, { name, ext }: FileDescriptor, bytes: Uint8Array): string {
  const hash = createHash('sha256').update(bytes).digest('hex')
  return names
    .replaceAll('[name]', name)
    .replaceAll('[extname]', `.${ext}`)
    .replaceAll('[ext]', ext)
    .replace(/\[hash(?::(\d+))?\]/g, (_, length: string | undefined) => hash.slice(0, Number(length ?? 8)))
}
