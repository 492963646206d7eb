import { access } from 'node:fs/promises'
import { join } from 'node:path'
import { createProject } from '../test/bundlers/driver.js'
import { buildScript, bundlers, type Bundler } from './builds.js'
import { inTurn, ratio, type Side } from './compare.js'
import { runScript } from './process.js'
import type { Row, Scale } from './report.js'

const rounds = { full: 5, quick: 1 }
const modules = { full: 2000, quick: 500 }

/**
 * Compares builds of an application without an id of this plugin: with the plugin and without it. Each is a process
 * from its start to its end. Processor time is compared, because other work of the machine changes it less.
 */
export async function comparePlain(scale: Scale): Promise<Row[]> {
  const count = modules[scale]
  const project = await createProject(application(count))
  try {
    const rows: Row[] = []
    for (const bundler of bundlers) {
      const side = (name: string, options?: object): Side => ({
        name,
        run: () => runScript(buildScript(bundler, 'main.js', options), { cwd: project.root }),
      })
      const measured = await inTurn([side('with', { space: '.' }), side('without')], rounds[scale], true)
      if (await isFile(join(project.root, 'content-space.lock.json')))
        throw new Error(`${bundler} has written a lockfile.`)
      rows.push(row(bundler, count, ratio(measured, 'with', 'without', 'cpu')))
    }
    return rows
  } finally {
    await project.remove()
  }
}

function row(bundler: Bundler, count: number, now: number): Row {
  return {
    work: `an application of ${count.toLocaleString('en')} modules without an id of ours, ${bundler}`,
    against: 'the same without the plugin',
    figures: [{ now, target: 1.02 }],
  }
}

/** Modules of some 2 kB, each of which imports up to three others. */
export function application(count: number): Record<string, string> {
  const files = Array.from({ length: count }, (_, index) => {
    const imported = [1, 2, 3].map((step) => index * 3 + step).filter((other) => other < count)
    const imports = imported.map((other) => `import { value as v${other} } from './m${other}.js'\n`)
    const work = Array.from(
      { length: 20 },
      (_unused, at) =>
        `/** Adds ${at}. */\nexport function add${at}(list) {\n  return list.map((one) => one + ${at})\n}\n`,
    )
    const value = `export const value = [${index}, ${imported.map((other) => `v${other}`).join(', ')}].flatMap((one) => add1([one].flat()))\n`
    return [pathOf(index), imports.join('') + work.join('') + value]
  })
  return {
    ...Object.fromEntries(files),
    'main.js': `import { value } from './${pathOf(0)}'\nconsole.log(value.length)\n`,
  }
}

async function isFile(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  )
}

function pathOf(index: number): string {
  return `src/m${index}.js`
}
