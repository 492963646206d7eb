import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { memoize } from '../../async/memoize.js'
import { runtimeFiles, type RuntimeName } from '../../components/runtimes.js'
import { projectFolder } from '../../disk/project-folder.js'
import { replaceFile } from '../../disk/replace-file.js'
import { importRuntime, type References } from '../../modules/references.js'

/**
 * Runtimes of components, next to the file that ids are resolved to, because Turbopack doesn't resolve absolute paths.
 */
export interface CopiedRuntimes {
  import: NonNullable<References['runtime']>
  /** Waits until all runtimes that modules import are written. */
  written(this: void): Promise<void>
}

const folder = 'next-runtime'

/** @param root the folder in which Next.js runs */
export function copyRuntimes(root: string): CopiedRuntimes {
  const texts = memoize((name: RuntimeName) => runtimeFiles(name, false))
  const used = new Set<RuntimeName>()
  return {
    import(name, exported) {
      used.add(name)
      return importRuntime(name, exported, `./${folder}/${name}.js`)
    },
    async written() {
      for (const name of used) await writeMissing(await texts.get(name), join(projectFolder(root), folder))
    },
  }
}

/**
 * Writes complete files, because Turbopack may read them at any time. Checks the files each time, because another
 * process may remove them.
 */
async function writeMissing(texts: ReadonlyMap<string, string>, to: string): Promise<void> {
  for (const [file, text] of texts) {
    const path = join(to, file)
    const present = await readFile(path, 'utf8').catch(() => undefined)
    if (present !== text) await replaceFile(path, text)
  }
}
