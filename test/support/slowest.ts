import type { TestModule } from 'vitest/node'

const shown = 10

/** Lists the test files that took longest, so that a slow test is noticed when it is added. */
export default class SlowestFiles {
  onTestRunEnd(modules: readonly TestModule[]): void {
    if (modules.length <= shown) return
    const files = modules
      .map((module) => ({ name: module.relativeModuleId, seconds: module.diagnostic().duration / 1000 }))
      .toSorted((a, b) => b.seconds - a.seconds)
    const total = files.reduce((sum, { seconds }) => sum + seconds, 0)
    const lines = files.slice(0, shown).map(({ name, seconds }) => `${seconds.toFixed(0).padStart(5)} s  ${name}`)
    const slowest = files.slice(0, shown).reduce((sum, { seconds }) => sum + seconds, 0)
    const share = Math.round((slowest / total) * 100)
    process.stdout.write(`\nThe slowest ${shown} of ${files.length} files take ${share} % of ${total.toFixed(0)} s:\n`)
    process.stdout.write(`${lines.join('\n')}\n\n`)
  }
}
