import { cp, mkdir, mkdtemp, readdir, realpath, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { onTestFinished } from 'vitest'

const repository = fileURLToPath(new URL('../..', import.meta.url))

/**
 * Installs the built package and its dependencies in an empty project.
 * @param replaced packages and scopes to omit, or the names of packages to install in their place
 */
export async function installPackage(replaced: Record<string, string | undefined>): Promise<string> {
  const root = await realpath(await mkdtemp(join(tmpdir(), 'content-space-installed-')))
  onTestFinished(() => rm(root, { recursive: true, force: true }))
  const modules = join(root, 'node_modules')
  const target = join(modules, 'unplugin-content-space')
  await mkdir(target, { recursive: true })
  for (const part of ['dist', 'package.json']) await cp(join(repository, part), join(target, part), { recursive: true })
  for (const name of await readdir(join(repository, 'node_modules'))) {
    const source = name in replaced ? replaced[name] : name
    if (!name.startsWith('.') && source !== undefined)
      await symlink(join(repository, 'node_modules', source), join(modules, name))
  }
  return root
}
