import type { UnpluginBuildContext, UnpluginFactory, UnpluginOptions } from 'unplugin'
import { narrow } from '../source/narrow.js'
import type { References } from '../modules/references.js'
import type { Options } from '../config/options.js'
import type { Query } from '../request/query.js'
import { idToRequest, requestToId } from '../request/request.js'
import { openSession, type Session } from './session.js'

/** What one family of bundlers adds to the common plugin. */
export interface Adapter {
  /** What stands in front of resolved ids: `\0` for rollup-likes, which keeps other plugins' hands off. */
  prefix: '' | '\0'
  /**
   * How generated code refers to files and values. Asked for each module, when the bundler's configuration is known.
   */
  references: (id: string) => References
  /** How specifiers reach the resolver, where the bundler does not let ours through. */
  specifier?: { filter: RegExp; read: (text: string) => string }
  /** Called for each resolved id before its module is made. */
  loading?: (context: UnpluginBuildContext, id: string) => void
  /** The bundler's own hooks and settings; those in the bundler's own key join the common ones. */
  options: Partial<UnpluginOptions>
  /** Hooks of the bundler that must come after its own. */
  last?: Partial<UnpluginOptions>
  /** The file behind what the bundler says of an importer, where that is no path of a file. */
  importer?: (from: string) => string
}

export const NAME = 'content-space'
const SPECIFIER = /^content-space:/
const RESOLVED = /^\0?content-space:/
const OWN = /\0?content-space:.*$/
/** What may hold imports of ours: scripts, and the languages that compile to them. */
export const SOURCE = /\.(?:[cm]?[jt]sx?|vue|svelte|astro|mdx?)(?:$|\?)/
const NARROWABLE = /content-space:(?:kit|section)\//

/**
 * The plugin of all bundlers: resolves `content-space:` ids, loads their modules, and leaves bytes to the family.
 * Errors of ours are thrown as they are, so that the bundler shows them as its own.
 */
export function contentSpace(
  family: (session: Session) => Adapter,
  open: (options: Options) => Session = openSession,
): UnpluginFactory<Options | undefined, true> {
  return (options = {}, meta) => {
    const session = open(options)
    const own = family(session)
    const plugins = [
      modules(session, own),
      narrowing(session, own),
      ...(own.last ? [{ name: `${NAME}:last`, ...own.last }] : []),
    ]
    // Two plugins in one would have esbuild hand over every file it loads, whatever their filters say.
    return meta.framework === 'esbuild' ? [Object.assign({}, ...plugins, { name: NAME })] : plugins
  }
}

function modules(session: Session, family: Adapter): UnpluginOptions {
  const { prefix, references, specifier = { filter: SPECIFIER, read: (text: string) => text }, options: own } = family
  return {
    name: NAME,
    // before resolvers that take an unknown scheme for an address
    enforce: 'pre',
    resolveId: {
      filter: { id: specifier.filter },
      async handler(text, from) {
        // some bundlers take an id for a path and put a folder in front of it
        const parent = OWN.exec(from ?? '')?.[0]
        const importer = parent === undefined ? from && (family.importer?.(from) ?? from) : session.importerOf(parent)
        const request = (await session.importer(importer)).parse(specifier.read(text), importer)
        const id = prefix + requestToId(request)
        session.imported(id, importer)
        session.sourceChanged()
        // Here the bundler shows which import is wrong. Dev servers also resolve what no page has asked for yet.
        // What our own modules import is right.
        if (session.host.command !== 'serve' && parent === undefined) await session.module(id, request, references(id))
        // rollup-likes read `moduleSideEffects`; unplugin hands it through and does not declare it
        return { id, moduleSideEffects: false }
      },
    },
    load: {
      filter: { id: RESOLVED },
      async handler(id) {
        family.loading?.(this, id)
        const watched = await session.watched()
        if (watched !== undefined) this.addWatchFile(watched)
        const code = await session.module(id, idToRequest(id.slice(prefix.length)), references(id))
        // What we generate is nobody's source: rollup-likes leave it out of their maps when they are told.
        return prefix === '' ? code : { code, map: { mappings: '' } }
      },
    },
    watchChange: (file) => {
      if (isSource(file)) session.sourceChanged()
    },
    ...own,
  }
}

/** Whether imports of ours may be in a file; declarations name modules of ours, and are written by us. */
export function isSource(file: string): boolean {
  return SOURCE.test(file) && !/\.d\.[cm]?ts$/.test(file)
}

/**
 * Lets an import of a kit load only the assets it names, whichever bundler: `modules/narrow.ts` tells how far it sees.
 */
function narrowing(session: Session, { references }: Adapter): UnpluginOptions {
  return {
    name: `${NAME}:narrow`,
    // after the compilers of other languages
    enforce: 'post',
    transform: {
      filter: { id: SOURCE, code: NARROWABLE },
      async handler(code, file) {
        const importer = await session.importer(file)
        const unchanged: Promise<string>[] = []
        const narrowed = narrow(code, file, (specifier, pick) => {
          if (!NARROWABLE.test(specifier)) return undefined
          const request = importer.parse(specifier, file)
          if (request.kind !== 'kit' && request.kind !== 'section') return undefined
          const id = requestToId({ ...request, pick })
          if (session.host.command !== 'serve' || needsBytes(request.query)) return id
          // A dev server has one flat module a kit, which narrowed copies would only multiply: only the names are
          // checked.
          unchanged.push(importer.module({ ...request, pick }, references(id), file))
          return undefined
        })
        await Promise.all(unchanged)
        return narrowed
      },
    },
  }
}

/** Whether modules hold what is made of files, so that a whole kit would fetch them all. */
function needsBytes(query: Query): boolean {
  return query.as === 'raw' || query.as === 'inline' || 'placeholder' in query
}
