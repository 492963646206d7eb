import { finish, parseImport, readFile, readValue } from '../../src/engine/build.js'
import type { FileDescriptor, ValueDescriptor } from '../../src/files/plan.js'
import type { Options } from '../../src/config/options.js'
import { contentService, type ServiceContent } from '../support/content-service.js'
import { evaluate } from '../support/evaluate.js'
import type { FaultServer } from '../support/fault-server.js'
import type { Bench } from './bench.js'

/** Opens an importer whose modules are evaluated as a bundler would run them. */
export async function openModules(bench: Bench, content: Partial<ServiceContent> | FaultServer, options: Options = {}) {
  const server = 'requests' in content ? content : await bench.serve(contentService(content))
  const importer = await bench.importer(server.url, options)
  const { engine } = importer
  /** Returns the module of a specifier, the bytes of its files, and the warnings so far. */
  async function load(specifier: string) {
    const files: FileDescriptor[] = []
    const references = {
      layout: 'flat' as const,
      address(file: FileDescriptor) {
        files.push(file)
        return { code: JSON.stringify(`/${file.name}.${file.ext}`) }
      },
      value: async (value: ValueDescriptor) => ({ code: JSON.stringify(await readValue(engine, value)) }),
    }
    const module = await evaluate(parseImport(engine, specifier, 'main.js'), async (request) => {
      const step = () => engine.modules.source(request, references)
      const source = await engine.errors.checked(step, { specifier, importer: 'main.js' })
      bench.said(source)
      return source
    })
    const bytes = async (): Promise<Buffer[]> =>
      Promise.all(files.map(async (file) => Buffer.from(await readFile(engine, file))))
    const { warnings } = await finish(engine)
    for (const warning of warnings) bench.said(warning)
    return { module, warnings, server, bytes }
  }
  return { importer, load }
}

/** Returns the module of a specifier from a new importer. */
export async function moduleOf(
  bench: Bench,
  content: Partial<ServiceContent> | FaultServer,
  specifier = 'content-space:kit/brand?metadata=full',
  options: Options = {},
) {
  const { load } = await openModules(bench, content, options)
  return load(specifier)
}
