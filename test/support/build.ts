import { execSync } from 'node:child_process'
import { readdirSync } from 'node:fs'

/**
 * Tests of bundlers and of the command line run the built package, so a run must not use an outdated `dist`. The
 * scripts of package.json build it before they start Vitest.
 * @returns a check that the tests wrote nothing into the repository's own folder
 */
export function setup(): () => void {
  if (!process.env['npm_lifecycle_script']?.includes('npm run -s build'))
    execSync('npm run -s build', { stdio: 'inherit' })
  const before = readdirSync('.')
  return () => {
    const added = readdirSync('.').filter((name) => !before.includes(name))
    if (added.length === 0) return
    console.error(`Tests left files in ${process.cwd()}: ${added.join(', ')}`)
    // Vitest prints an error of a teardown and exits with 0.
    process.exitCode = 1
  }
}
