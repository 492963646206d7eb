import { execFileSync } from 'node:child_process'
import { mkdtemp, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Row } from './report.js'
import { repository, withSettings } from './settings.js'

/** Another version of this package. */
export interface Other {
  /** Runs a comparison with this package, and once more with the other one in its place. */
  compare(run: () => Promise<Row[]>): Promise<Row[]>
  remove(): Promise<void>
}

/**
 * Unpacks a tarball of `npm pack` into a temporary folder. It uses the libraries and bundlers of this repository, so that
 * nothing differs but the package.
 */
export async function unpack(tarball: string): Promise<Other> {
  const root = await mkdtemp(join(tmpdir(), 'content-space-against-'))
  execFileSync('tar', ['-xzf', tarball, '-C', root])
  const folder = join(root, 'package')
  await symlink(join(repository, 'node_modules'), join(folder, 'node_modules'))
  return {
    async compare(run) {
      const [rows, others] = [await run(), await withSettings({ folder }, run)]
      return rows.map(({ figures, ...row }, at) => ({
        ...row,
        figures: figures.map((one, index) => ({ ...one, other: others[at]?.figures[index]?.now })),
      }))
    },
    remove: () => rm(root, { recursive: true, force: true }),
  }
}
