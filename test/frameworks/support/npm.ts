import { execFile } from 'node:child_process'
import { cp, mkdir, mkdtemp, realpath } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const run = promisify(execFile)

const repository = fileURLToPath(new URL('../../..', import.meta.url))
export const projects = join(repository, 'test/frameworks/projects')

/** How projects depend on the packed package: `"unplugin-content-space": "file:…"`. */
const TARBALL = 'unplugin-content-space.tgz'

/** Packs the built package and returns the path of the tarball. */
export async function pack(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'content-space-pack-'))
  const args = ['pack', '--json', '--ignore-scripts', '--pack-destination', folder]
  const { stdout } = await run('npm', args, { cwd: repository, env: environment() })
  const [packed]: { filename: string }[] = JSON.parse(stdout)
  return join(folder, packed?.filename ?? '')
}

/** Copies a project, along with the packed package, to a new temporary folder. */
export async function copyProject(name: string, tarball: string): Promise<string> {
  const root = join(await realpath(await mkdtemp(join(tmpdir(), 'content-space-framework-'))), name)
  await mkdir(root)
  await cp(join(projects, name), root, { recursive: true })
  await cp(tarball, join(root, TARBALL))
  return root
}

/**
 * Installs all packages as of this day, so that a test has the same result on any other day and projects don't need a
 * lockfile. Choose a later day when a project or this package depends on a newer version. The weekly run of templates
 * doesn't set a day, because it is meant to find out what the templates' authors have changed.
 */
export const day = process.env['CONTENT_SPACE_TEST_TODAY'] ? [] : ['--before', '2026-11-25']

/** Runs npm in a project. Packages' scripts don't run, because none of them is needed here. */
export async function npm(root: string, ...args: string[]): Promise<void> {
  const flags = ['--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline', '--no-progress']
  await run('npm', [...args, ...flags], { cwd: root, env: environment(), maxBuffer: 64 * 1024 * 1024 })
}

/** Returns this process's environment without what a test runner, npm, or CI have added to it. Keeps certificates. */
export function environment(): Record<string, string> {
  const added =
    /^(?:npm_(?!config_registry)|VITE|NODE_(?!EXTRA_CA)|CI$|TEST$|DEV$|PROD$|MODE$|BASE_URL$|SSR$|CONTENT_SPACE_|INIT_CWD$)/
  const kept = Object.entries(process.env).filter(([name]) => !added.test(name))
  return Object.fromEntries(kept.map(([name, value]) => [name, value ?? '']))
}
