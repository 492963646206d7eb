import type { FileDescriptor, ValueDescriptor } from '../../files/plan.js'
import type { Engine } from '../../engine/engine.js'
import type { Request } from '../../request/request.js'
import type { ImportSite } from '../../source/import-site.js'
import { isSameSet } from '../references/file-names.js'
import type { ImportOrigins, Session } from './api.js'
import type { LiveTexts } from './live-texts.js'

const content = () => import('./content.js')

export function createImportOrigins(): ImportOrigins {
  const origins = new Map<string, ImportSite>()

  function add(ids: string[], importer: string | undefined, specifier?: string): void {
    const origin = importer === undefined ? undefined : (origins.get(importer) ?? { importer, specifier })
    for (const id of ids) if (origin !== undefined && !origins.has(id)) origins.set(id, origin)
  }

  return {
    add: (id, importer, specifier) => add([id], importer, specifier),
    ofModule: (id) => origins.get(id),
    addFile: (file, importer, specifier) => add(keysOf(file), importer, specifier),
    ofFile: (file, as) => keysOf(file, as).flatMap((key) => origins.get(key) ?? [])[0],
    recordFiles: (id, references) => ({
      ...references,
      address(file) {
        add(keysOf(file), id)
        return references.address(file)
      },
      value(value) {
        add(keysOf(value.file, value.as), id)
        return references.value(value)
      },
    }),
  }
}

/**
 * Returns the key of a file or value, and the key of its asset. We fall back to the asset's key, because modules in a
 * bundler's cache don't record files.
 */
function keysOf({ asset, cut, recipe, set }: FileDescriptor, as?: string): string[] {
  return [`file:${asset} ${set ?? `${cut} ${recipe} ${as}`}`, `file:${asset}`]
}

/** Runs a step and adds the import to its errors. */
export async function withOrigin<T>(origin: ImportSite | undefined, step: () => Promise<T>): Promise<T> {
  try {
    return await step()
  } catch (error) {
    const [{ sanitizeError }, { withImportSite }] = await Promise.all([
      import('../../errors.js'),
      import('../../source/import-site.js'),
    ])
    sanitizeError(error)
    throw withImportSite(error, origin ?? {})
  }
}

/** Returns the functions that read content files. Errors name the import that needs the file. */
export function fileAccess(
  { origins, host, reports: { icons } }: Pick<Session, 'origins' | 'host' | 'reports'>,
  open: () => Promise<Engine>,
  waitFor: <T>(file: FileDescriptor, step: () => Promise<T>) => Promise<T>,
) {
  /** Opens the engine for a descriptor from generated code or from the bundler's cache. */
  async function openFor(file: FileDescriptor) {
    const [engine, { checkPolicy, ...read }] = await Promise.all([open(), content()])
    checkPolicy(file, engine.options.svg)
    return { engine, ...read }
  }

  return {
    file: (file: FileDescriptor): Promise<Uint8Array> =>
      withOrigin(origins.ofFile(file), async () => {
        const { engine, readFile } = await openFor(file)
        // In a dev server, each set has its own URLs.
        if (file.set !== undefined && host.command !== 'serve') {
          const other = [...icons].find((icon) => !isSameSet(icon, file))
          if (other) throw (await import('../../files/app-icons.js')).secondSet(file, other)
          icons.add(file)
        }
        return waitFor(file, () => readFile(engine, file))
      }),
    small: (file: FileDescriptor, isSmall: (bytes: Uint8Array) => boolean): Promise<string | undefined> =>
      withOrigin(origins.ofFile(file), async () => {
        // The manifest refers to icons by name, so they can't be inlined.
        if (file.set !== undefined) return undefined
        const { engine, readSmall } = await openFor(file)
        return readSmall(engine, file, isSmall)
      }),
    literal: (value: ValueDescriptor): Promise<string> =>
      withOrigin(origins.ofFile(value.file, value.as), async () => {
        const [{ engine, readValue }, { contentLiteral }] = await Promise.all([
          openFor(value.file),
          import('../../modules/literal.js'),
        ])
        return contentLiteral(await readValue(engine, value))
      }),
  }
}

export interface ImportContext extends Pick<Session, 'origins' | 'host'> {
  texts: LiveTexts
  /** @param site the import that needs the engine, for errors */
  open(this: void, site?: ImportSite): Promise<Engine>
  waitFor(this: void, request: Request, step: () => Promise<string>): Promise<string>
  /** Called after a module is generated. */
  onModule(this: void): void
}

/** Returns the functions that read imports. They recompute their results when content changes. */
export function importAccess({
  texts,
  origins,
  open,
  waitFor,
  onModule,
  host,
}: ImportContext): Pick<Session, 'parse' | 'module' | 'checkNames' | 'plan' | 'icons'> {
  /** Reads an id in a file. Stores failures too, so that the file is read again when new content makes the id valid. */
  async function read<T>(
    what: string,
    id: string,
    file: string | undefined,
    step: (steps: Awaited<ReturnType<typeof content>>, engine: Engine) => T | Promise<T>,
  ): Promise<T> {
    const [steps, { ALL }] = await Promise.all([content(), import('./markers.js')])
    const run = async () => step(steps, await open({ importer: file }))
    const user = file === undefined ? { marker: ALL } : { marker: ALL, file }
    await texts.get(`${what} ${file}\n${id}`, user, async () => JSON.stringify(await run()) ?? '')
    return run()
  }

  return {
    parse: (specifier, from) =>
      read('parse', specifier, from, ({ parseImport }, engine) => parseImport(engine, specifier, from)),
    async module(id, request, references) {
      const { markerOf } = await import('./markers.js')
      const make = async (): Promise<string> => {
        const site = origins.ofModule(id)
        const { errors, modules } = await open(site)
        const step = () => modules.source(request, origins.recordFiles(id, references))
        const source = await errors.checked(step, site)
        onModule()
        return source
      }
      return waitFor(request, () => texts.get(id, { marker: markerOf(request), module: id }, make))
    },
    async checkNames(site, request, references) {
      const { markerOf } = await import('./markers.js')
      const key = `names ${site.importer}\n${JSON.stringify(request)}`
      const make = async () => {
        const { errors, modules } = await open(site)
        await errors.checked(() => modules.source(request, references), site)
        return ''
      }
      await waitFor(request, () => texts.get(key, { marker: markerOf(request), file: site.importer }, make))
    },
    async icons(id, file) {
      const isServed = host.command === 'serve'
      const icons = await read('icons', id, file, ({ planIcons }, engine) => planIcons(engine, id, isServed, file))
      if (icons) origins.addFile(icons.manifest, file, id)
      return icons
    },
    plan: (id, file) => read('plan', id, file, ({ planAddress }, engine) => planAddress(engine, id, file)),
  }
}
