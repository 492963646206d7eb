import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { createFiles, type Files, type FilesContext } from '../../src/files/files.js'
import { spaceOf } from './one-asset.js'

export { planned } from './one-asset.js'

export interface TestFiles extends Files {
  warnings: string[]
  /** What was downloaded, by cut. */
  downloads: string[]
  /** What was told of each reading. */
  read: { integrity: string; cached: boolean }[]
}

export const tempFolder = () => mkdtemp(join(tmpdir(), 'content-space-files-'))

/** Files over a space that holds one asset: the original under its own type, and cuts. */
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
