import { execFileSync } from 'node:child_process'
import { mkdtemp, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Row } from './report.js'
import { repository, withSettings } from './settings.js'

/** Another version of this package. */
export interface Other {
  /** Runs a comparison with this package, and again with the other one in its place. */
  compare(run: () => Promise<Row[]>): Promise<Row[]>
  remove(): Promise<void>
}

/**
 * Unpacks a tarball from `npm pack` into a temporary folder. It uses this repository's libraries and bundlers, so that
 * only the package differs.
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
