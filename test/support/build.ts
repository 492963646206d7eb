import { execFileSync } from 'node:child_process'

/** Tests of bundlers and of the CLI run the package as it is shipped, so that a run never tests a stale `dist`. */
export function setup(): void {
  execFileSync(process.execPath, ['node_modules/typescript/bin/tsc', '-p', '.'], { stdio: 'inherit' })
}
