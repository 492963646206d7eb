import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { build, createProject, type Driver } from '../test/bundlers/driver.js'
import { esbuildDriver } from '../test/bundlers/drivers/esbuild.js'
import { viteDriver } from '../test/bundlers/drivers/vite.js'
import { webpackDriver } from '../test/bundlers/drivers/webpack.js'
import { largeSpace } from '../test/support/space.js'
import { inTurn, ratio, timed, type Side } from './compare.js'
import { printTable, ratioText, type Row, type Scale } from './report.js'
import { startService, type Service } from './service.js'

const names = [0, 1, 2, 3, 4].map((index) => `asset0000${index}`)
const few = `import { ${names.join(', ')} } from 'content-space:kit/large'\nconsole.log([${names.join(', ')}])\n`
const whole = `import kit from 'content-space:kit/large'\nconsole.log(kit)\n`

/** One round is enough for the whole kit, which takes several times longer. */
const rounds = { full: { used: 3, eager: 1 }, quick: { used: 1, eager: 1 } }

/**
 * Compares cold builds that use five assets of a kit of 1,000, five of a kit of five, and all of the kit of 1,000.
 */
export async function compareKits(scale: Scale): Promise<Row[]> {
  const folders = [await largeSpace(5), await largeSpace(1000)] as const
  const [small, large] = await Promise.all([startService(folders[0].folder), startService(folders[1].folder)])
  try {
    const rows = [['cold build', '5 of 1,000 : 5 of 5', '1,000 of 1,000 : 5 of 1,000']]
    for (const driver of [viteDriver, esbuildDriver, webpackDriver]) {
      const five = coldBuild('five', driver, small, few, 5)
      const fiveOfMany = coldBuild('five of many', driver, large, few, 5)
      const used = await inTurn([five, fiveOfMany], rounds[scale].used, true)
      const eager = await inTurn([fiveOfMany, coldBuild('all', driver, large, whole, 1000)], rounds[scale].eager)
      rows.push([
        driver.name,
        ratioText(ratio(used, 'five of many', 'five')),
        ratioText(ratio(eager, 'all', 'five of many')),
      ])
    }
    printTable(rows)
    return []
  } finally {
    for (const service of [small, large]) service.stop()
    await Promise.all(folders.map((folder) => folder.remove()))
  }
}

/** Builds without a cache and a lockfile, and checks the number of emitted files. */
function coldBuild(name: string, driver: Driver, served: Service, source: string, files: number): Side {
  return {
    name,
    async run() {
      const project = await createProject({ 'main.js': source })
      const cacheDir = await mkdtemp(join(tmpdir(), 'content-space-cache-'))
      try {
        let emitted = 0
        const usage = await timed(async () => {
          const output = await build(driver, project, { ...served.options, cacheDir, rateLimit: false })
          emitted = output.assets().length
        })
        if (emitted !== files) throw new Error(`${driver.name}, ${name}: ${emitted} files instead of ${files}.`)
        return usage
      } finally {
        await project.remove()
        await rm(cacheDir, { recursive: true, force: true })
      }
    },
  }
}
