import { expect, test } from 'vitest'
import { rolldown, rollup } from '../../../../src/bundlers/rollup/create.js'
import { latePlugins } from '../../../../src/bundlers/rollup/late.js'

/** unplugin copies these to the plugin itself. */
const ignored = new Set(['rollup', 'rolldown', 'vite', 'webpack', 'rspack'])

async function run(plugin: object | undefined, hook: string, ...given: unknown[]): Promise<void> {
  const found: unknown = Reflect.get(Object(plugin), hook)
  const handler: unknown = Reflect.get(Object(found), 'handler') ?? found
  if (typeof handler === 'function') await Reflect.apply(handler, undefined, given)
}

function shapeOf(plugin: object): object {
  const entries = Object.entries(plugin).filter(([name, value]) => value !== undefined && !ignored.has(name))
  return Object.fromEntries(
    entries.map(([name, value]: [string, unknown]) => {
      if (typeof value !== 'object') return [name, typeof value === 'function' ? {} : value]
      return [name, { ...value, handler: undefined }]
    }),
  )
}

test.each(Object.entries({ rollup, rolldown }))(
  'the plugins of the entry of %s have the hooks of the plugins that they load',
  (_, create) => {
    const late = latePlugins(async () => create)().map(shapeOf)
    // unplugin adds a hook to each plugin, which only the first one needs.
    const created = [create()].flat().map(shapeOf)
    for (const [at, plugin] of created.entries()) if (at > 0) Reflect.deleteProperty(plugin, 'buildStart')
    expect(late).toEqual(created)
  },
)

test('hooks do nothing before an id is seen, and call the others afterwards', async () => {
  const calls: unknown[] = []
  let loaded = 0
  const record =
    (name: string) =>
    (...given: unknown[]) =>
      void calls.push([name, ...given])
  const [first, narrow, last] = latePlugins(async () => {
    loaded++
    return () => [
      { buildStart: record('buildStart'), resolveId: { handler: record('resolveId') }, buildEnd: record('buildEnd') },
      { transform: { handler: record('transform') } },
      { generateBundle: { handler: record('generateBundle') } },
    ]
  })({ tokens: [] })
  await run(first, 'buildStart', 'input')
  await run(first, 'resolveId', './other.js')
  await run(narrow, 'transform', 'import "./other.js"', '/a.js')
  await run(narrow, 'transform', 'content-space:asset/a', '/a.txt')
  await run(last, 'generateBundle', {}, { 'a.css': { type: 'asset', source: 'a {}' } })
  await run(first, 'buildEnd')
  expect([loaded, calls]).toEqual([0, []])

  await Promise.all(['a', 'b'].map((name) => run(first, 'resolveId', `content-space:asset/${name}`)))
  await run(narrow, 'transform', 'import "content-space:kit/a"', '/a.js')
  await run(first, 'buildEnd')
  expect(loaded).toBe(1)
  expect(calls).toEqual([
    ['buildStart', 'input'],
    ['resolveId', 'content-space:asset/a'],
    ['resolveId', 'content-space:asset/b'],
    ['transform', 'import "content-space:kit/a"', '/a.js'],
    ['buildEnd'],
  ])
})

test('an emitted text with an id counts as one', async () => {
  let loaded = 0
  const [, , last] = latePlugins(async () => {
    loaded++
    return () => [{ buildStart() {} }, {}, { generateBundle() {} }]
  })({ tokens: [] })
  const { handler }: { handler?: (...given: unknown[]) => unknown } = Object(last?.['generateBundle'])
  await handler?.({}, { 'a.png': { type: 'asset', source: Buffer.from('content-space:asset/a') } })
  expect(loaded).toBe(0)
  await handler?.({}, { 'a.html': { type: 'asset', source: '<img src="content-space:asset/a">' } })
  expect(loaded).toBe(1)
})
