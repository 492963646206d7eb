import { execFileSync } from 'node:child_process'

/**
 * Tests of bundlers and of the command line run the built package, so a run must not use an outdated `dist`. The
 * scripts of package.json build it before they start Vitest.
 */
export function setup(): void {
  if (process.env['npm_lifecycle_script']?.includes('npm run -s build')) return
  execFileSync(process.execPath, ['node_modules/typescript/bin/tsc', '-p', '.'], { stdio: 'inherit' })
}
