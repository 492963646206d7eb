import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { rolldown, rollup } from '../../../../src/bundlers/rollup/create.js'
import { vite } from '../../../../src/bundlers/rollup/create-vite.js'
import { latePlugins, type LatePlugin } from '../../../../src/bundlers/rollup/late.js'
import { rollupHooks, rollupPlugins } from '../../../../src/bundlers/rollup/late-rollup.js'
import { nestedBuilds, viteHooks, vitePlugins } from '../../../../src/bundlers/rollup/late-vite.js'
import { startWith } from '../../../../src/bundlers/rollup/start.js'
import { viteEarly } from '../../../../src/bundlers/rollup/vite-early.js'
import { tempFolder } from '../../../support/files.js'

/** unplugin copies the first ones to the plugin itself. The last one is the session. */
const ignored = new Set(['rollup', 'rolldown', 'vite', 'webpack', 'rspack', 'api'])

async function run(plugin: object | undefined, hook: string, ...given: unknown[]): Promise<unknown> {
  const found: unknown = Reflect.get(Object(plugin), hook)
  const handler: unknown = Reflect.get(Object(found), 'handler') ?? found
  return typeof handler === 'function' ? Reflect.apply(handler, undefined, given) : undefined
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

const lateRollup = (create: (options?: object) => unknown, onLoad = () => {}) =>
  latePlugins(async () => (onLoad(), startWith(create)), rollupPlugins, rollupHooks)
const lateVite = (create: (options?: object) => unknown, onLoad = () => {}) =>
  latePlugins(
    async () => (onLoad(), startWith(create)),
    vitePlugins,
    viteHooks(async () => viteEarly),
    nestedBuilds(),
  )

test.each([
  ['rollup', rollup, rollupPlugins],
  ['rolldown', rolldown, rollupPlugins],
  ['vite', vite, vitePlugins],
] satisfies [string, () => unknown, LatePlugin[]][])(
  'the plugins of the entry of %s have the hooks of the plugins that they load',
  (_, create, plugins) => {
    const late = latePlugins(
      async () => startWith(create),
      plugins,
      () => [],
    )().map(shapeOf)
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
  const create = () => [
    { buildStart: record('buildStart'), resolveId: { handler: record('resolveId') }, buildEnd: record('buildEnd') },
    { transform: { handler: record('transform') } },
    { generateBundle: { handler: record('generateBundle') } },
  ]
  const [first, narrow, last] = lateRollup(create, () => loaded++)({ tokens: [] })
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

test.each(['content-space:asset/a', '/__content-space/0123456789abcdef/a.svg'])(
  'an emitted text with %s loads the plugins',
  async (text) => {
    let loaded = 0
    const [, , last] = lateRollup(
      () => [{ buildStart() {} }, {}, { generateBundle() {} }],
      () => loaded++,
    )({ tokens: [] })
    await run(last, 'generateBundle', {}, { 'a.png': { type: 'asset', source: Buffer.from(text) } })
    expect(loaded).toBe(0)
    await run(last, 'generateBundle', {}, { 'a.html': { type: 'asset', source: `<img src="${text}">` } })
    expect(loaded).toBe(1)
  },
)

test('a copied file with an id counts as one in a second build, too', async () => {
  let loaded = 0
  const publicDir = await tempFolder()
  onTestFinished(() => rm(publicDir, { recursive: true }))
  await writeFile(join(publicDir, 'site.json'), '{ "icon": "content-space:asset/a" }')
  const [first, , last] = lateVite(
    () => [{ config() {}, configResolved() {} }, {}, { generateBundle() {} }],
    () => loaded++,
  )({ tokens: [] })
  for (const folder of ['', publicDir]) {
    const config = { command: 'build', publicDir: folder, build: { copyPublicDir: true } }
    await run(first, 'config', {}, { command: 'build' })
    await run(first, 'configResolved', { ...config, plugins: [], logger: { warnOnce() {} } })
    await run(last, 'generateBundle', {}, {})
  }
  expect(loaded).toBe(1)
})

test('the loaded plugins receive the calls that they have missed, each once, and the last start of each build', async () => {
  const calls: unknown[] = []
  const create = () => [
    {
      config: () => (calls.push('config'), { define: {} }),
      configResolved: ({ command }: { command: string }) => void calls.push(command),
      buildStart: (input: string) => Promise.resolve().then(() => void calls.push(input)),
      load: { handler: (id: string) => (calls.push(id), 'code') },
    },
    {},
    {},
  ]
  const [first] = lateVite(create)({ tokens: [] })
  const logger = { warnOnce() {} }
  const resolved = (command: string) => ({ command, root: '/', plugins: [], logger, build: {} })
  expect(await run(first, 'config', {}, { command: 'build' })).toBeUndefined()
  await run(first, 'configResolved', resolved('build'))
  await run(first, 'configResolved', resolved('serve'))
  await run(first, 'buildStart', 'first')
  await run(first, 'buildStart', 'second')
  expect(calls).toEqual([])

  const loads = ['a', 'b'].map((name) => run(first, 'load', `\0content-space:${name}`))
  expect(await Promise.all(loads)).toEqual(['code', 'code'])
  expect(calls).toEqual(['config', 'build', 'serve', 'second', '\0content-space:a', '\0content-space:b'])
  expect(await run(first, 'config', {}, { command: 'serve' })).toEqual({ define: {} })
})

test('an id that one of two running builds sees loads the plugins of both', async () => {
  const started: string[] = []
  let instances = 0
  const create = () => {
    const name = `instance ${++instances}`
    return [{ buildStart: () => void started.push(name), load() {} }, {}, {}]
  }
  const late = lateVite(create)
  const [[outer], [inner], [ended]] = [late({ tokens: [] }), late({ tokens: [] }), late({ tokens: [] })]
  for (const plugin of [outer, inner, ended]) await run(plugin, 'buildStart', {})
  await run(ended, 'closeBundle')
  await run(inner, 'load', '\0content-space:a')
  expect(started.toSorted()).toEqual(['instance 1', 'instance 2'])
})

test('an outer build is loaded before the server inside it that sees an id', async () => {
  const calls: string[] = []
  const record = (name: string) => {
    const hook = async (): Promise<void> => {
      await new Promise(setImmediate)
      calls.push(name)
    }
    return [{ configResolved: hook, buildStart: hook, load() {} }, {}, {}]
  }
  const late = lateVite((options) => record(options && 'space' in options ? 'inner' : 'outer'))
  const [[inner], [outer]] = [late({ space: 'a', tokens: [] }), late({ tokens: [] })]
  for (const [plugin, command] of [
    [outer, 'build'],
    [inner, 'serve'],
  ] as const)
    await run(plugin, 'configResolved', { command, plugins: [], logger: { warnOnce() {} } })
  // A bundler may start the inner server first if another plugin starts it in the same hook.
  for (const plugin of [inner, outer]) await run(plugin, 'buildStart', {})
  await run(inner, 'load', '\0content-space:a')
  expect(calls).toEqual(['outer', 'outer', 'inner', 'inner'])
})

test('a server that is closed while the plugins are loading closes them', async () => {
  const calls: string[] = []
  const record = (name: string) => () => void calls.push(name)
  const [first] = lateRollup(() => [
    {
      buildStart: record('start'),
      load: { handler: record('load') },
      closeBundle: record('close'),
      closeWatcher: record('end'),
    },
    {},
    {},
  ])({ tokens: [] })
  await run(first, 'buildStart', {})
  const hooks = ['load', 'closeBundle', 'closeWatcher']
  await Promise.all(hooks.map((hook) => run(first, hook, '\0content-space:a')))
  expect(calls[0]).toBe('start')
  expect(calls).toEqual(expect.arrayContaining(['close', 'end']))
})

test('a build that fails to start is started again with the next one', async () => {
  let starts = 0
  const buildStart = (): void => {
    if (++starts === 1) throw new Error('locked')
  }
  const [first] = lateRollup(() => [{ buildStart, load: () => 'code' }, {}, {}])({ tokens: [{ kit: 'a', file: 'a' }] })
  await expect(run(first, 'buildStart', {})).rejects.toThrow('locked')
  await run(first, 'buildStart', {})
  expect([starts, await run(first, 'load', '\0content-space:a')]).toEqual([2, 'code'])
})
