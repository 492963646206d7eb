import { access } from 'node:fs/promises'
import { join } from 'node:path'
import { createProject } from '../test/bundlers/driver.js'
import { bundlers, runBuild, type Bundler } from './builds.js'
import { inTurn, ratio, type Ratio, type Side } from './compare.js'
import type { Row, Scale } from './report.js'

const rounds = { full: 5, quick: 1 }
const modules = { full: 1500, quick: 500 }

/**
 * Compares builds of an application that doesn't contain any of this plugin's ids, with and without the plugin. Each is
 * a process that is measured from start to end.
 */
export async function comparePlain(scale: Scale): Promise<Row[]> {
  const count = modules[scale]
  const project = await createProject(application(count))
  try {
    const rows: Row[] = []
    for (const bundler of bundlers) {
      const side = (name: string, options?: object): Side => ({
        name,
        run: () => runBuild(bundler, project.root, 'main.js', options),
      })
      const measured = await inTurn(
        `no ids, ${bundler}`,
        [side('with', { space: '.' }), side('without')],
        rounds[scale],
        true,
      )
      if (await isFile(join(project.root, 'content-space.lock.json')))
        throw new Error(`${bundler} has written a lockfile.`)
      rows.push(row(bundler, count, [ratio(measured, 'with', 'without'), ratio(measured, 'with', 'without', 'cpu')]))
    }
    return rows
  } finally {
    await project.remove()
  }
}

function row(bundler: Bundler, count: number, ratios: readonly Ratio[]): Row {
  return {
    work: `an application of ${count.toLocaleString('en')} small modules without an id of ours, ${bundler}: time; processor time`,
    against: 'the same without the plugin',
    figures: ratios.map((one) => ({ ...one, target: 1.03 })),
  }
}

/**
 * Returns small modules, each of which imports up to three others. The less a build does, the more visible is the cost
 * of a plugin.
 */
export function application(count: number): Record<string, string> {
  const files = Array.from({ length: count }, (_, index) => {
    const imported = [1, 2, 3].map((step) => index * 3 + step).filter((other) => other < count)
    const imports = imported.map((other) => `import { value as v${other} } from './m${other}.js'\n`)
    const value = `export const value = [${index}, ${imported.map((other) => `v${other}`).join(', ')}].flat()\n`
    return [pathOf(index), imports.join('') + value]
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
