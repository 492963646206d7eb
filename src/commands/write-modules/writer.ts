import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import glob from 'fast-glob'
import { integrityOf, type Content } from '../../disk/content.js'
import type { Folder } from '../../disk/folder.js'
import type { Files } from '../../files/files.js'
import type { FileDescriptor } from '../../files/plan.js'
import type { BuildStats } from '../../progress.js'

/** What a writer gets files from. */
export interface WriterContext {
  files: Pick<Files, 'use'>
  stats: Pick<BuildStats, 'file'>
}

/** Writes files that have changed, each whole, and remembers what belongs to the folder. */
export interface ModuleWriter {
  file(this: void, path: string, file: FileDescriptor): Promise<void>
  put(this: void, path: string, text: string): Promise<void>
  /** Removes everything that this writer was not given. */
  prune(this: void): Promise<void>
  /** Whether any file was written or removed. */
  changed(this: void): boolean
}

export function openModuleWriter(folder: Folder, { files, stats }: WriterContext, signal: AbortSignal): ModuleWriter {
  const present = new Set<string>()
  let changed = false

  async function write(path: string, data: string | Content): Promise<void> {
    present.add(path)
    const integrity = typeof data === 'string' ? integrityOf(data) : data.integrity
    if ((await folder.hash(path)) === integrity) return
    await folder.write(path, data, { temporary: join(folder.path, `.${randomUUID()}.tmp`) })
    changed = true
  }

  return {
    async file(path, file) {
      await files.use(file, (content) => write(path, content), { signal })
      stats.file(file)
    },
    put: write,
    async prune() {
      const names = await glob('**', { cwd: folder.path, dot: true, followSymbolicLinks: false })
      for (const name of names.filter((one) => !present.has(one))) {
        await folder.remove(name)
        changed = true
      }
    },
    changed: () => changed,
  }
}
