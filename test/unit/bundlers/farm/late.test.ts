import type { JsPlugin } from '@farmfe/core'
import { expect, test } from 'vitest'
import { farm } from '../../../../src/bundlers/farm/farm.js'
import { latePlugins } from '../../../../src/bundlers/farm/late.js'

type Hooks = Record<string, unknown>

async function run(plugin: JsPlugin | undefined, hook: string, ...given: unknown[]): Promise<unknown> {
  const found: unknown = Reflect.get(Object(plugin), hook)
  const executor: unknown = Reflect.get(Object(found), 'executor') ?? found
  return typeof executor === 'function' ? Reflect.apply(executor, plugin, given) : undefined
}

const script = (content: string) => ({ content, moduleType: 'js', resolvedPath: '/a.js' })

/** Makes plugins whose real ones record all calls. */
function recorded() {
  const calls: unknown[] = []
  let loaded = 0
  const record =
    (name: string, result?: unknown) =>
    (...given: unknown[]) => {
      calls.push([name, ...given])
      return result
    }
  const hooks = (names: string[]): Hooks =>
    Object.fromEntries(names.map((name) => [name, { executor: record(name, `by ${name}`) }]))
  const serve = async () => void calls.push('serve')
  const first = {
    name: 'first',
    config: record('config', { server: { middlewares: [() => serve] } }),
    configResolved: record('configResolved'),
    configureCompiler: record('configureCompiler'),
    configureDevServer: record('configureDevServer'),
    ...hooks(['buildStart', 'resolve', 'load', 'updateModules', 'finish']),
  }
  const narrow = { name: 'narrow', ...hooks(['transform']) }
  const last = {
    name: 'last',
    ...hooks(['transform', 'resolve', 'finalizeResources', 'pluginCacheLoaded', 'writePluginCache']),
  }
  const plugins = latePlugins(async () => {
    loaded++
    return () => [first, narrow, last]
  })({ tokens: [] })
  return { plugins, calls, loads: () => loaded }
}

function admits(patterns: string[] = [], path = '/app/main.js'): boolean {
  return patterns.some((pattern) => new RegExp(pattern).test(path))
}

function shapeOf(plugin: JsPlugin): object {
  return { name: plugin.name, priority: plugin.priority, hooks: Object.keys(plugin).toSorted() }
}

test('the plugins of the entry have the hooks and the order of the plugins that they load', () => {
  expect(latePlugins(async () => farm)().map(shapeOf)).toEqual(farm().map(shapeOf))
})

test('Farm calls JavaScript for ids and compiled files alone, and passes no output to a build', () => {
  const [first, narrow, last] = recorded().plugins
  void first?.configResolved?.(Object({ root: '/app', compilation: { watch: false } }))
  for (const patterns of [first?.resolve?.filters.sources, first?.load?.filters.resolvedPaths]) {
    expect(admits(patterns, './main.js')).toBe(false)
    expect(admits(patterns, 'content-space:kit/a')).toBe(true)
  }
  expect(narrow?.transform?.filters.moduleTypes).toEqual([])
  expect(admits(narrow?.transform?.filters.resolvedPaths)).toBe(false)
  expect(admits(narrow?.transform?.filters.resolvedPaths, '/app/App.vue')).toBe(true)
  expect(last?.transform?.filters).toEqual({ moduleTypes: ['css'], resolvedPaths: [] })
  expect(last).not.toHaveProperty('finalizeResources')
  expect(last).not.toHaveProperty('writeResources')

  const watching = recorded().plugins
  void watching[0]?.configResolved?.(Object({ root: '/app', compilation: { watch: true } }))
  expect(admits(watching[1]?.transform?.filters.resolvedPaths)).toBe(true)
  expect(watching[2]).toHaveProperty('finalizeResources')
})

test('hooks do nothing before an id is seen, and then receive what they have missed', async () => {
  const { plugins, calls, loads } = recorded()
  const [first, narrow, last] = plugins
  const output = { 'main.js': Buffer.from('console.log(1)') }
  const compiler = { resources: () => output }
  const resolved = { root: '/app', compilation: { watch: false } }
  const { server } = Object(await run(first, 'config', { root: '/app', server: { port: 1 } }))
  await run(first, 'configResolved', resolved)
  await run(first, 'configureCompiler', compiler)
  await run(last, 'pluginCacheLoaded', [1])
  await run(first, 'buildStart', 'input')
  expect(await run(narrow, 'transform', script('import "./other.js"'))).toBeUndefined()
  expect(await run(last, 'transform', script('a {}'))).toBeUndefined()
  await run(first, 'updateModules', { paths: [] })
  await run(first, 'finish')
  expect(await run(last, 'writePluginCache')).toEqual([1])
  expect(server.port).toBe(1)
  const next = async () => void calls.push('next')
  await server.middlewares[0]()({ path: '/main.js' }, next)
  expect([loads(), calls.splice(0)]).toEqual([0, ['next']])

  const results = await Promise.all(['a', 'b'].map((source) => run(first, 'resolve', { source })))
  expect(results).toEqual(['by resolve', 'by resolve'])
  expect(await run(narrow, 'transform', script('import "./other.js"'))).toBe('by transform')
  await run(first, 'finish')
  await server.middlewares[0]()({ path: '/main.js' }, next)
  expect(loads()).toBe(1)
  expect(calls).toEqual([
    ['config', { root: '/app', server: { port: 1 } }],
    ['configResolved', resolved],
    ['configureCompiler', compiler],
    ['pluginCacheLoaded', [1]],
    ['buildStart', 'input'],
    ['resolve', { source: 'a' }],
    ['resolve', { source: 'b' }],
    ['transform', script('import "./other.js"')],
    ['finish'],
    'serve',
  ])
})

test.each([
  ['an id in a script', 1, 'transform', script('import "content-space:kit/a"')],
  ['an id in a style sheet', 2, 'transform', script('a { background: url(content-space:asset/a) }')],
  ['a page of the dev server', 2, 'finalizeResources', resources('<img src="content-space:asset/a">')],
  ['a mark from the cache of Farm', 2, 'finalizeResources', resources('x = "__CONTENT_SPACE_0__END"')],
])('%s loads the real plugins', async (_, at, hook, param) => {
  const { plugins, loads } = recorded()
  expect(await run(plugins[at], hook, param)).toBe(`by ${hook}`)
  expect(loads()).toBe(1)
})

test('an id in the finished output loads the real plugins', async () => {
  const { plugins, loads } = recorded()
  const [first] = plugins
  await run(first, 'configureCompiler', {
    resources: () => ({ 'index.html': Buffer.from('<img src="content-space:asset/a">') }),
  })
  expect(await run(first, 'finish')).toBe('by finish')
  expect(loads()).toBe(1)
})

test('a request of the dev server for a content file loads the real plugins', async () => {
  const { plugins, calls } = recorded()
  const { server } = Object(await run(plugins[0], 'config', {}))
  await server.middlewares[0]()({ path: '/__content-space/0/a.svg' }, async () => void calls.push('next'))
  expect(calls.at(-1)).toBe('serve')
})

function resources(text: string) {
  return { resourcesMap: { 'index.html': { name: 'index.html', bytes: [...Buffer.from(text)] } } }
}
