import { mkdir, symlink } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { build, createProject, readTree, type Driver, type Project } from './driver.js'
import { frameworkScenarios } from './component-frameworks.js'
import { componentScenarios } from './component-scenarios.js'
import { failures } from './failures.js'
import { scenarios } from './scenarios.js'
import { isLong } from '../support/long.js'
import { kits, openTestSpace, type TestSpace } from './space.js'

/** One bundler that joins modules in a single scope, and one that wraps them in functions. */
export const variantBundlers: readonly string[] = ['vite', 'webpack']

/** Runs every scenario and every failure with one bundler. */
export function suite(driver: Driver): void {
  let small: TestSpace
  let large: TestSpace
  beforeAll(async () => void ([small, large] = await Promise.all([openTestSpace(), openTestSpace({ large: true })])))
  afterAll(async () => void (await Promise.all([small.close(), large.close()])))

  describe(`${driver.name} builds`, () => {
    const own = [...scenarios, ...componentScenarios, ...frameworkScenarios].filter(({ bundlers, isVariant }) =>
      (bundlers ?? (isVariant && !isLong ? variantBundlers : [driver.name])).includes(driver.name),
    )
    test.each(own)('$name', async (scenario) => {
      const { files, packages = [], options, settings, downloads, emitted = downloads, check } = scenario
      const space = JSON.stringify(files).includes(kits.big) ? large : small
      await inProject(files, async ({ root }) => {
        await linkPackages(packages, root)
        space.requests()
        const output = await build(driver, { root }, { ...space.options(), ...options }, settings)
        expect(space.requests().filter((request) => request.includes('/download'))).toHaveLength(downloads)
        // Vite also emits the style sheet that belongs to picture components.
        expect(output.assets().filter(([path]) => !path.endsWith('.css'))).toHaveLength(emitted)
        await check({ output, result: await output.run(), space })
      })
    })
  })

  describe(`${driver.name} rejects`, () => {
    test.each(failures)('$name', async ({ main, options, says, naming = true }) => {
      await inProject({ 'main.js': main }, async ({ root }) => {
        const failure = await build(driver, { root }, { ...small.options(), ...options }).then(
          () => undefined,
          (error: unknown) => String(error instanceof Error ? error.message : error),
        )
        expect(failure).toBeDefined()
        for (const said of says) expect(failure).toMatch(said)
        if (naming) expect(failure).toContain(join(root, 'main.js'))
        expect([...(await readTree(join(root, 'dist'))).keys()]).toEqual([])
      })
    })
  })
}

/** Lets the bundler and the built output find packages. */
async function linkPackages(packages: readonly string[], root: string): Promise<void> {
  for (const name of packages) {
    const link = join(root, 'node_modules', name)
    await mkdir(dirname(link), { recursive: true })
    await symlink(fileURLToPath(new URL(`../../node_modules/${name}`, import.meta.url)), link, 'junction')
  }
}

async function inProject(
  files: Record<string, string>,
  work: (project: Pick<Project, 'root'>) => Promise<void>,
): Promise<void> {
  const project = await createProject(files)
  try {
    await work(project)
  } finally {
    await project.remove()
  }
}
