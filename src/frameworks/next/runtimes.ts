import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { memoize } from '../../async/memoize.js'
import { runtimeFiles, type RuntimeName } from '../../components/runtimes.js'
import { projectFolder } from '../../disk/project-folder.js'
import { importRuntime, type References } from '../../modules/references.js'

/** Runtimes of components beside the file that ids are resolved to: Turbopack resolves no absolute paths. */
export interface CopiedRuntimes {
  import: NonNullable<References['runtime']>
  /** Waits until all runtimes that modules import are written. */
  written(this: void): Promise<void>
}

const folder = 'next-runtime'

/** @param root the folder in which Next.js runs */
export function copyRuntimes(root: string): CopiedRuntimes {
  const copies = memoize((name: RuntimeName) => copy(name, join(projectFolder(root), folder)))
  const used = new Set<RuntimeName>()
  return {
    import(name, exported) {
      used.add(name)
      return importRuntime(name, exported, `./${folder}/${name}.js`)
    },
    async written() {
      await Promise.all([...used].map((name) => copies.get(name)))
    },
  }
}

async function copy(name: RuntimeName, to: string): Promise<void> {
  await mkdir(to, { recursive: true })
  for (const [file, text] of await runtimeFiles(name, false)) {
    const path = join(to, file)
    const present = await readFile(path, 'utf8').catch(() => undefined)
    if (present !== text) await writeFile(path, text)
  }
}
