import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { createFiles, type Files, type FilesContext } from '../../src/files/files.js'
import { spaceOf } from './one-asset.js'

export { planned } from './one-asset.js'

export interface TestFiles extends Files {
  warnings: string[]
  /** The cut of each download. */
  downloads: string[]
  /** The reports about each file that was read. */
  read: { integrity: string; cached: boolean }[]
}

export const tempFolder = () => mkdtemp(join(tmpdir(), 'content-space-files-'))

/** Opens the files of a space with one asset. `content` contains its original, under the asset's type, and its cuts. */
export async function openFiles(
  content: Record<string, Uint8Array>,
  given: Partial<FilesContext> & { type?: string } = {},
): Promise<TestFiles> {
  const { type = Object.keys(content)[0] ?? '', ...context } = given
  const [warnings, downloads, read]: [string[], string[], TestFiles['read']] = [[], [], []]
  const space = spaceOf(content, type, downloads)
  const files = createFiles({
    space,
    cacheDir: await tempFolder(),
    offline: false,
    strict: false,
    frozen: false,
    warn: (message) => void warnings.push(message),
    locked: () => undefined,
    onFile: (_file, { integrity, cached }) => void read.push({ integrity, cached }),
    ...context,
  })
  onTestFinished(() => files.close())
  return { ...files, warnings, downloads, read }
}
