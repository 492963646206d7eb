import type { Engine } from '../../engine/engine.js'
import type { Request } from '../../request/request.js'
import type { Session } from './api.js'
import { withOrigin, type ImportOrigins } from './import-origins.js'
import type { LiveTexts } from './live-texts.js'

const content = () => import('./content.js')

export interface ImportContext {
  texts: LiveTexts
  origins: ImportOrigins
  /** @param from the importing file, for errors */
  open(this: void, from?: string): Promise<Engine>
  waitFor(this: void, request: Request, step: () => Promise<string>): Promise<string>
  /** Called when a module was made. */
  onModule(this: void): void
}

/** Returns the functions that read imports. What they return is made again when content changes. */
export function importAccess({
  texts,
  origins,
  open,
  waitFor,
  onModule,
}: ImportContext): Pick<Session, 'parse' | 'module' | 'checkNames' | 'plan'> {
  return {
    async parse(specifier, from) {
      const { ALL, parseImport } = await content()
      // Failures are kept, so that the file is read again when other options make the specifier valid.
      const parsing = async () => parseImport(await open(from), specifier, from)
      const user = from === undefined ? { marker: ALL } : { marker: ALL, file: from }
      await texts.get(`parse ${from}\n${specifier}`, user, async () => JSON.stringify(await parsing()))
      return parsing()
    },
    async module(id, request, references) {
      const { markerOf, moduleSource } = await content()
      const make = async (): Promise<string> => {
        const origin = origins.ofModule(id)
        const source = await withOrigin(origin, async () =>
          moduleSource(await open(), request, origins.recordFiles(id, references), origin),
        )
        onModule()
        return source
      }
      return waitFor(request, () => texts.get(id, { marker: markerOf(request), module: id }, make))
    },
    async checkNames(file, request, references) {
      const { markerOf, moduleSource } = await content()
      const key = `names ${file}\n${JSON.stringify(request)}`
      const make = () =>
        withOrigin(file, async () => {
          await moduleSource(await open(), request, references, file)
          return ''
        })
      await waitFor(request, () => texts.get(key, { marker: markerOf(request), file }, make))
    },
    async plan(id, file) {
      const { ALL, planAddress } = await content()
      const planning = async () => planAddress(await open(file), id, file)
      await texts.get(`plan ${file}\n${id}`, { marker: ALL, file }, async () => JSON.stringify(await planning()) ?? '')
      return planning()
    },
  }
}
