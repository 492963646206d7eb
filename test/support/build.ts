import { execSync } from 'node:child_process'
import { chmodSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'

/**
 * Checks that `dist` is up to date, because tests of bundlers and of the command line run the built package.
 * @returns a check that the tests wrote nothing into the repository's own folder
 */
export function setup(): () => void {
  if (!isBuilt()) execSync('npm run -s build', { stdio: 'inherit' })
  const before = readdirSync('.')
  const removeTemporary = setTemporaryFolder()
  return () => {
    removeTemporary()
    const added = readdirSync('.').filter((name) => !before.includes(name))
    if (added.length === 0) return
    console.error(`Tests left files in ${process.cwd()}: ${added.join(', ')}`)
    // Set the exit code here, because Vitest prints an error of a teardown but exits with 0.
    process.exitCode = 1
  }
}

/**
 * Checks whether the last build started after the last change to its inputs. The build writes the list of libraries
 * last, with the time when it started.
 */
function isBuilt(): boolean {
  const built = statSync('dist/sbom.cdx.json', { throwIfNoEntry: false })
  const sources = ['src', 'scripts/build'].flatMap((folder) => [
    folder,
    ...readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((path) => join(folder, path)),
  ])
  const inputs = ['package.json', 'package-lock.json', 'tsconfig.json', ...sources]
  return built !== undefined && inputs.every((path) => statSync(path).mtimeMs < built.mtimeMs)
}

/**
 * Creates a temporary folder for the tests of this run, which is removed at the end. esbuild lists the folders above a
 * project, and becomes slow if tests leave thousands of folders there.
 * @returns a function that removes the folder. Does nothing in a second Vitest project, which uses the folder of the
 *   first.
 */
function setTemporaryFolder(): () => void {
  const prefix = 'cs-tests-'
  if (basename(tmpdir()).startsWith(prefix)) return () => {}
  const folder = mkdtempSync(join(tmpdir(), prefix))
  // The same mode as `/tmp`, because some tests run processes of another user.
  chmodSync(folder, 0o1777)
  process.env['TMPDIR'] = folder
  return () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
}
