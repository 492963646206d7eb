import { existsSync } from 'node:fs'
import { join } from 'node:path'
import contentSpaceRolldown from 'unplugin-content-space/rolldown'
import contentSpaceRollup from 'unplugin-content-space/rollup'
import contentSpaceVite from 'unplugin-content-space/vite'
import { rolldown } from 'rolldown'
import { rollup } from 'rollup'
import { build as buildVite } from 'vite'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { lockedSpace } from '../support/locked-space.js'
import { serveSpace, type ServedSpace, type SpaceFolder } from '../support/space.js'
import { build, createProject, type Project } from './driver.js'
import { drivers } from './drivers/all.js'

/*
 * The plugin's cost for an application without ids, counted: if the bundler has filters, hooks aren't called for its
 * modules and chunks, and no requests are sent.
 */

let space: SpaceFolder
let service: ServedSpace
let project: Project

beforeAll(async () => {
  space = await lockedSpace(5)
  service = await serveSpace(space.folder)
  project = await createProject({
    'main.js': `import { a } from './a.js'\nimport { b } from './b.js'\nconsole.log(JSON.stringify([a, b]))\n`,
    'a.js': 'export const a = 1\n',
    'b.js': `import { a } from './a.js'\nexport const b = a + 1\n`,
  })
})
afterAll(async () => {
  await service.close()
  await Promise.all([space.remove(), project.remove()])
})

const counted = ['resolveId', 'load', 'transform', 'renderChunk']

/** Counts the calls of plugins' hooks. */
function counting<T extends object>(plugins: readonly T[], calls: string[]): T[] {
  return plugins.map((plugin) => {
    const hooks = Object.entries(plugin).filter(([name]) => counted.includes(name))
    const wrapped = hooks.map(([name, hook]: [string, unknown]) => {
      if (typeof hook !== 'object' || hook === null || !('handler' in hook)) throw new Error(`${name} has no filter.`)
      const { handler } = hook
      if (typeof handler !== 'function') throw new Error(`${name} has no handler.`)
      const count = function (this: unknown, ...args: unknown[]): unknown {
        calls.push(name)
        return Reflect.apply(handler, this, args)
      }
      return [name, { ...hook, handler: count }]
    })
    return Object.assign({}, plugin, Object.fromEntries(wrapped))
  })
}

const options = () => ({ ...service.options, types: false }) as const
const input = (): string => join(project.root, 'main.js')

test('Vite calls no hook for modules and chunks without content', async () => {
  const calls: string[] = []
  await buildVite({
    root: project.root,
    configFile: false,
    logLevel: 'silent',
    plugins: counting([contentSpaceVite(options())].flat(), calls),
    build: { rolldownOptions: { input: input() } },
  })
  expect(calls).toEqual([])
})

test('Rolldown calls no hook for modules and chunks without content', async () => {
  const calls: string[] = []
  const bundle = await rolldown({ input: input(), plugins: counting([contentSpaceRolldown(options())].flat(), calls) })
  await bundle.write({ dir: join(project.root, 'dist') })
  await bundle.close()
  expect(calls).toEqual([])
})

test('Rollup, which filters no chunks, calls no hook for modules without content', async () => {
  const calls: string[] = []
  const bundle = await rollup({ input: input(), plugins: counting([contentSpaceRollup(options())].flat(), calls) })
  await bundle.write({ dir: join(project.root, 'dist') })
  await bundle.close()
  // One emits files, and the other finds ids that remain plain text.
  expect(calls).toEqual(['renderChunk', 'renderChunk'])
})

test.each(drivers.map((driver) => [driver.name, driver] as const))('%s asks for nothing', async (_, driver) => {
  const output = await build(driver, project, options())
  expect(await output.run()).toEqual([1, 2])
  expect(service.requests).toEqual([])
  expect(existsSync(join(project.root, 'content-space.lock.json'))).toBe(false)
})
