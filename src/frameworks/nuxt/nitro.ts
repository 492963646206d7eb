import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { PluginContext } from 'rollup'
import type { Adapter } from '../../bundlers/plugin.js'
import { writeDescriptor } from '../../bundlers/references/descriptors.js'
import type { DevFiles } from '../../bundlers/references/dev-files.js'
import { sha256 } from '../../bundlers/references/digest.js'
import { importStub } from '../../bundlers/references/file-stubs.js'
import type { Session } from '../../bundlers/session/session.js'
import { makeFolder } from '../../disk/make-folder.js'
import type { FileDescriptor } from '../../files/plan.js'
import type { References } from '../../modules/references.js'

/** The scheme for imports of addresses in generated modules. */
const FILE = /^content-space-file:(.*)$/
const RESOLVED_FILE = /^\0content-space-file:(.*)$/
/** The module in which Nitro lists the public files that its server serves. */
const PUBLIC_FILES = /public-assets-data$/

/** Absolute paths of the folders that contain public files. */
export interface Folders {
  public: string
  built: string
}

/**
 * The adapter for Nitro, which builds server routes with Rollup after Vite has built the pages.
 *
 * Nitro serves only files that are in the public folder when it makes its list of public files. We therefore write each
 * file when its module is loaded, and let Nitro make the list after all other modules are loaded.
 * @param files the files of Vite's dev server
 * @param folders returns the public folder, and the output folder of Vite's build, which Nitro copies to the public
 *   folder before or after bundling
 */
export function nitroAdapter(session: Session, files: DevFiles, folders: () => Folders): Adapter {
  const references: References = {
    layout: 'barrel',
    address: (file) => importStub(`content-space-file:${writeDescriptor(file)}`),
    value: async (value) => ({ code: await session.literal(value) }),
  }
  return {
    // These ids must differ from the ids of Vite's modules, because those refer to files differently.
    prefix: '',
    references: () => (session.host.command === 'serve' ? files.references : references),
    options: {
      rollup: {
        async writeBundle() {
          // A build for prerendered pages runs first. The session stays open until Nuxt closes.
          if (session.host.command === 'build') await session.finish()
        },
      },
    },
    lateOptions: {
      rollup: {
        resolveId: { filter: { id: FILE }, handler: (id) => ({ id: `\0${id}`, moduleSideEffects: false }) },
        load: {
          filter: { id: [RESOLVED_FILE, PUBLIC_FILES] },
          async handler(id) {
            const descriptor = RESOLVED_FILE.exec(id)?.[1]
            if (descriptor === undefined) return loadOthers(this, id)
            const { readDescriptor } = await import('../../bundlers/references/read-descriptors.js')
            const file = readDescriptor(descriptor)
            const name = await publish(folders(), file, await session.file(file))
            return [
              // Compute the address when the server runs, because the server's environment can set the base and the
              // CDN.
              `import { buildAssetsURL } from '#internal/nuxt/paths'`,
              `export default /* @__PURE__ */ buildAssetsURL(${JSON.stringify(encodeURIComponent(name))})\n`,
            ].join('\n')
          },
        },
      },
    },
  }
}

/**
 * Writes a file to the public folder, unless Vite has written it.
 * @returns its name
 */
async function publish(folders: Folders, { name, ext }: FileDescriptor, bytes: Uint8Array): Promise<string> {
  const built = await readdir(folders.built).catch(() => [])
  const similar = built.filter((file) => file.startsWith(name) && file.endsWith(`.${ext}`)).toSorted()
  for (const file of similar) if ((await readFile(join(folders.built, file))).equals(bytes)) return file
  const file = `${name}.${sha256(bytes).slice(0, 8)}.${ext}`
  makeFolder(folders.public)
  await writeFile(join(folders.public, file), bytes)
  return file
}

/** Loads all modules that the entries reach, except one, which another plugin loads afterwards. */
async function loadOthers(context: PluginContext, except: string): Promise<null> {
  const seen = new Set([except])
  async function visit(id: string): Promise<void> {
    if (seen.has(id)) return
    seen.add(id)
    const loaded = await context.load({ id, resolveDependencies: true })
    const imported = [...loaded.importedIdResolutions, ...loaded.dynamicallyImportedIdResolutions]
    await Promise.all(imported.filter(({ external }) => !external).map((module) => visit(module.id)))
  }
  const entries = [...context.getModuleIds()].filter((id) => context.getModuleInfo(id)?.isEntry)
  await Promise.all(entries.map(visit))
  return null
}
