import { readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { clearCache } from '../../../src/commands/cache/run.js'
import { assetUuid, kitUuid as kit } from '../../support/content-service.js'
import type { Service } from './content.js'
import { openWorkplace, updateProject, type Tool, type Workplace } from './runs.js'

export interface ProjectChange {
  apply(work: Workplace, service: Service, tool: Tool): unknown
  /**
   * The result of a later run. `locked`: a frozen run gives the same output as before, because the lockfile is the
   * same. `any`: the output may differ, but it is the same with any cache.
   */
  gives: 'locked' | 'any'
  /**
   * Whether a run without a cache may fail: a cache finds a file by its sha256, but the service distinguishes the files
   * of versions by their file_hash.
   */
  needsCache?: boolean
}

/** Changes to the project and to what exists beside it. */
export const projectChanges: Readonly<Record<string, ProjectChange>> = {
  'lock: a name': edit('"acmeLogo"', '"corpLogo"'),
  'lock: a slug': edit('"acme-logo"', '"corp-logo"'),
  'lock: a sha256': edit(/sha256-../g, 'sha256-XX'),
  'lock: a file_hash': { ...edit(/"file_hash":"../g, '"file_hash":"00'), needsCache: true },
  'lock: another version': edit('"use": 1', '"use": 3'),
  'lock: an asset removed': edit(new RegExp(` *"${assetUuid(2)}": .*\n\n`), ''),
  'lock: the id of the space': edit('"space": "7"', '"space": "8"'),
  'lock: deleted': any((work) => work.setLock('{"lockfileVersion":2,"kits":{}}')),
  'option presets': any((work) => void (work.options = { ...work.options, presets: { form: 'raw' } })),
  'option metadata': any((work) => void (work.options = { ...work.options, metadata: 'full' })),
  'an alias': any((work) => void (work.options = { ...work.options, kits: { brand: { kit, version: 1 } } })),
  'option names': any(
    (work) => void (work.options = { ...work.options, kits: { brand: { kit, names: { badge: 'sign' } } } }),
  ),
  'source of the same size and time': any(editSource),
  'output deleted': {
    gives: 'locked',
    async apply({ root }) {
      const [first = ''] = await readdir(join(root, 'dist'))
      await rm(join(root, 'dist', first), { recursive: true })
    },
  },
  'another branch and back': {
    gives: 'locked',
    async apply(work, service) {
      const lock = await work.lock()
      service.change(2, 'a color', 'a name', 'the order', 'a heading')
      await updateProject(work)
      await work.run({})
      await work.setLock(lock)
      // As git removes files that only the other branch has. A pull of two versions names folders by version number.
      await rm(join(work.root, 'dist/brand@2'), { recursive: true, force: true })
    },
  },
  '`update` of another project': {
    gives: 'locked',
    async apply({ cacheDir }, service, tool) {
      const other = await openWorkplace(tool, service.url, cacheDir)
      await other.run({})
      service.change(1, 'a color', 'a name', 'the name of the kit')
      await updateProject(other)
      await other.run({})
      await other.remove()
    },
  },
  '`cache clear`': {
    gives: 'locked',
    async apply({ cacheDir }, service) {
      service.change(1, 'a color', 'a name', 'notes of an asset')
      await clearCache(cacheDir)
    },
  },
}

function any(apply: ProjectChange['apply']): ProjectChange {
  return { gives: 'any', apply }
}

function edit(before: string | RegExp, after: string): ProjectChange {
  return any(async (work) => work.setLock((await work.lock()).replace(before, after)))
}

/** A tool that compares sizes and times of files doesn't notice this change. */
async function editSource({ root }: Workplace): Promise<void> {
  const file = join(root, 'main.js')
  const { atime, mtime } = await stat(file)
  const text = await readFile(file, 'utf8')
  await writeFile(
    file,
    text.includes('best-logo') ? text.replaceAll('best-logo', 'acme-logo') : text.replaceAll('acmeLogo', 'bestLogo'),
  )
  await utimes(file, atime, mtime)
}
