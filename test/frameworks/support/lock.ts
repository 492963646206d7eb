import { readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { copyProject, npm, pack, projects } from './npm.js'

/*
 * Writes the lockfiles of projects: `npm run build && npx jiti test/frameworks/support/lock.ts [project…]`. Run it when
 * a project's or this package's dependencies have changed. The lockfiles contain no hash of the packed package, which
 * changes with each build.
 */

const tarball = await pack()
const names = process.argv.length > 2 ? process.argv.slice(2) : await readdir(projects)
for (const name of names) {
  const root = await copyProject(name, tarball)
  await forgetPackage(join(root, 'package-lock.json'))
  await npm(root, 'install', '--package-lock-only', '--omit-lockfile-registry-resolved')
  const lock: { packages: Record<string, LockedPackage> } = JSON.parse(
    await readFile(join(root, 'package-lock.json'), 'utf8'),
  )
  addOtherSystems(lock.packages)
  delete lock.packages['node_modules/unplugin-content-space']?.integrity
  await writeFile(join(projects, name, 'package-lock.json'), `${JSON.stringify(lock, null, 2)}\n`)
  await rm(dirname(root), { recursive: true })
  console.log(name)
}

/** Without its entry, npm reads the dependencies of the packed package, whose path never changes. */
async function forgetPackage(file: string): Promise<void> {
  const lock = await readFile(file, 'utf8').then(
    (text): { packages: Record<string, LockedPackage> } => JSON.parse(text),
    () => undefined,
  )
  if (lock === undefined) return
  for (const path of Object.keys(lock.packages))
    if (path.startsWith('node_modules/unplugin-content-space')) delete lock.packages[path]
  await writeFile(file, JSON.stringify(lock))
}

interface LockedPackage {
  version?: string
  integrity?: string
  optionalDependencies?: Record<string, string>
}

/**
 * Adds the binaries of other systems that a registry does not have. `npm ci` requires an entry for each of them, and
 * installs none.
 */
function addOtherSystems(packages: Record<string, LockedPackage>): void {
  for (const { optionalDependencies = {} } of Object.values(packages)) {
    for (const [name, version] of Object.entries(optionalDependencies)) {
      const { groups: system } =
        /-(?<os>android|darwin|freebsd|linux|openbsd|openharmony|win32)-(?<cpu>[a-z0-9]+)/.exec(name) ?? {}
      const cpu = system?.['cpu'] ?? (name.includes('-wasm32-') ? 'wasm32' : undefined)
      if (cpu === undefined || !/^\d/.test(version)) continue
      const os = system?.['os'] === undefined ? {} : { os: [system['os']] }
      packages[`node_modules/${name}`] ??= Object.assign({ version, optional: true, cpu: [cpu] }, os)
    }
  }
}
