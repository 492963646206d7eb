import { mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises'
import { once } from 'node:events'
import { createServer, get } from 'node:http'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import type { Options } from '../../../src/config/options.js'
import { keepWaiting } from '../../../src/frameworks/next/server.js'
import loader, { type LoaderOptions } from '../../../src/frameworks/next/loader.js'
import type { NextConfig } from '../../../src/frameworks/next/settings.js'
import { withContentSpace } from '../../../src/frameworks/next/with-content-space.js'
import { loadedByScript } from '../../support/loaded-modules.js'
import { richSpace, type SpaceFolder } from '../../support/space.js'

const id = 'content-space:asset/icons/arrow-left?w=48&format=png;webp'

let space: SpaceFolder
let root: string

beforeAll(async () => {
  space = await richSpace()
})
afterAll(() => space.remove())

beforeEach(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), 'content-space-next-')))
  vi.spyOn(process, 'cwd').mockReturnValue(root)
  vi.spyOn(console, 'info').mockReturnValue()
  await writeFile(join(root, 'page.js'), `import arrow from '${id}'`)
})
afterEach(async () => {
  vi.restoreAllMocks()
  vi.unstubAllEnvs()
  await rm(root, { recursive: true })
})

const given = (options: Options): Options => ({
  space: space.folder,
  cacheDir: join(root, 'cache'),
  frozen: false,
  ...options,
})

function settings(
  config: NextConfig | ((phase: string) => NextConfig | Promise<NextConfig>),
  phase: string,
  options: Options = {},
): Promise<NextConfig> {
  const wrapped = typeof config === 'function' ? config : () => config
  return withContentSpace(wrapped, given(options))(`phase-${phase}`, {})
}

/** Makes the environment look to a configuration as if a Next.js command were running. */
function runCommand(command: string, mode: 'development' | 'production'): void {
  vi.stubEnv('NODE_ENV', mode)
  vi.spyOn(process, 'argv', 'get').mockReturnValue(['node', 'next', command])
}

/** The development server lasts as long as the process. With these options, it doesn't write anything after a test. */
const quiet: Options = { types: false, lockfile: false, refresh: false }

/**
 * Runs the loader as Turbopack does.
 * @param query includes the `?`
 */
function load(query: string, options: LoaderOptions): Promise<{ code: string; watched: string[] }> {
  const watched: string[] = []
  return new Promise((resolve, reject) => {
    const context = {
      resourcePath: '/.content-space/next.js',
      resourceQuery: query,
      getOptions: () => options,
      async: () => (error: Error | null, code?: string) =>
        error ? reject(error) : resolve({ code: code ?? '', watched }),
      cacheable() {},
      addDependency: (file: string) => void watched.push(file),
    }
    loader.call(context, '')
  })
}

/** Runs the loader for a style sheet in the project's root, as Turbopack does. */
async function loadSheet(source: string, { turbopack }: NextConfig): Promise<string> {
  const rule = turbopack?.rules?.['*.css']
  const options: LoaderOptions = JSON.parse(JSON.stringify(rule))[0].loaders[0].options
  return new Promise((resolve, reject) => {
    const context = {
      resourcePath: join(root, 'site.css'),
      resourceQuery: '',
      getOptions: () => options,
      async: () => (error: Error | null, code?: string) => (error ? reject(error) : resolve(code ?? '')),
      cacheable() {},
      addDependency() {},
    }
    loader.call(context, source)
  })
}

/** Returns the loader's options in the settings of Turbopack. */
function loaderOptions({ turbopack }: NextConfig): LoaderOptions {
  const rule = turbopack?.rules?.['**/.content-space/next.js']
  return JSON.parse(JSON.stringify(rule)).loaders[0].options
}

describe('the configuration', () => {
  test.each<[string, (phase: string) => NextConfig | Promise<NextConfig>]>([
    ['a function', () => ({ basePath: '/docs' })],
    ['an asynchronous function', async (phase) => ({ basePath: phase === 'phase-production-build' ? '/docs' : '' })],
  ])('may be %s', async (_form, config) => {
    const { basePath, turbopack } = await settings(config, 'production-build')
    expect(basePath).toBe('/docs')
    expect(Object.keys(turbopack?.resolveAlias ?? {})).toEqual([id, 'content-space:*'])
  })

  test('stays as it is when Next.js serves a build', async () => {
    const config = { basePath: '/docs' }
    expect(await settings(config, 'production-server', { space: '/missing' })).toBe(config)
  })

  test('keeps the settings of the project', async () => {
    const own = {
      turbopack: { root: '/work', resolveAlias: { a: './b.js' }, rules: { '*.x': ['x-loader'] } },
      rewrites: async () => [{ source: '/a', destination: '/b' }],
      webpack: (config: { plugins: unknown[]; module: { rules: unknown[] } }) => {
        config.plugins.push('own')
        return config
      },
    }
    const { turbopack, webpack, rewrites, ...others } = await settings(own, 'development-server', quiet)
    expect(turbopack).toMatchObject({ ...own.turbopack, rules: { '*.x': ['x-loader'] } })
    expect(turbopack?.resolveAlias).toMatchObject({ a: './b.js' })
    expect(await rewrites?.()).toMatchObject({
      beforeFiles: [{ source: '/__content-space/:path*' }],
      afterFiles: [{ source: '/a', destination: '/b' }],
    })
    expect(others).toEqual({})
    const result = webpack?.({ plugins: [], module: { rules: [] } }, { isServer: false })
    expect(result?.plugins).toEqual(['own', { apply: expect.any(Function) }])
  })

  test('that is an object is an object, and wrappers may copy it', async () => {
    const config = { basePath: '/docs' }
    runCommand('build', 'production')
    const copied = Object.assign({}, withContentSpace(config, given({})), { turbopack: { root: '/work' }, more: true })
    expect(await Promise.resolve(copied)).toEqual({
      basePath: '/docs',
      more: true,
      compiler: { runAfterProductionCompile: expect.any(Function) },
      turbopack: expect.objectContaining({
        root: '/work',
        resolveAlias: expect.objectContaining({ [id]: expect.anything() }),
      }),
      webpack: expect.any(Function),
    })
    runCommand('dev', 'development')
    expect(await Promise.resolve({ ...withContentSpace(config, given(quiet)) })).toHaveProperty('rewrites')
    runCommand('start', 'production')
    expect(withContentSpace(config, given({ space: '/missing' }))).toBe(config)
  })

  test('of which a wrapper keeps only data makes every id an error', async () => {
    runCommand('build', 'production')
    const kept: NextConfig = JSON.parse(JSON.stringify(withContentSpace({}, given({}))))
    await expect(load(`?id=asset/icons/late`, loaderOptions(kept))).rejects.toThrow(
      'A wrapper around withContentSpace drops a part of its result. Write withContentSpace around the wrapper.',
    )
  })

  test('that is a function cannot be copied', () => {
    const configuration: unknown = withContentSpace(() => ({ basePath: '/docs' }), { space: space.folder })
    expect(() => Object.assign({}, configuration)).toThrow('Write withContentSpace around the wrapper')
  })

  test('is read from CommonJS, without loading anything before Next.js starts', async () => {
    const required: unknown = createRequire(import.meta.url)('unplugin-content-space/next')
    expect(required).toBeTypeOf('function')
    expect(Reflect.get(Object(required), 'withContentSpace')).toBe(required)
    const { packages, own } = await loadedByScript("import 'unplugin-content-space/next'")
    expect(packages).toEqual([])
    expect(own).not.toContain('engine/engine')
  })
})

describe('a build', () => {
  test('resolves ids with queries to written modules', async () => {
    const { turbopack } = await settings({}, 'production-build')
    const module = String(turbopack?.resolveAlias?.[id])
    expect(module).toMatch(/^\.\/\.content-space\/next\/asset-icons-arrow-left-[0-9a-f]{12}\.js$/)
    expect(await readFile(join(root, module), 'utf8')).toContain('import file_')
    expect(await readFile(join(root, 'content-space.d.ts'), 'utf8')).toContain(id)
  })

  test('writes the declarations that a fresh clone lacks, unless the lockfile is frozen', async () => {
    await settings({}, 'production-build')
    const [types, lockfile] = [join(root, 'content-space.d.ts'), join(root, 'content-space.lock.json')]
    const before = [await readFile(types, 'utf8'), await readFile(lockfile, 'utf8')]
    await rm(types)
    await settings({}, 'production-build', { frozen: true })
    await expect(readFile(types)).rejects.toThrow('ENOENT')
    await settings({}, 'production-build')
    expect([await readFile(types, 'utf8'), await readFile(lockfile, 'utf8')]).toEqual(before)
    await writeFile(types, '// as committed')
    await settings({}, 'production-build', { frozen: true })
    expect(await readFile(types, 'utf8')).toBe('// as committed')
  })

  test('fails with every import that is wrong', async () => {
    const more = "\nimport a from 'content-space:asset/icons/arrow-lft'\nimport { b } from 'content-space:kit/icons'"
    await writeFile(join(root, 'page.js'), more)
    const error = await settings({}, 'production-build').catch(String)
    expect(error).toContain('2 imports of content failed')
    expect(error).toMatch(/no asset arrow-lft[\s\S]*page\.js:2[\s\S]*does not export b[\s\S]*page\.js:3/)
  })

  test('reports an id that was not scanned', async () => {
    const built = await settings({}, 'production-build')
    await expect(load('?id=asset/icons/arrow-right', loaderOptions(built))).rejects.toThrow(
      'content-space:asset/icons/arrow-right was not found before the build started.',
    )
  })
})

describe('development', () => {
  test('makes modules for the loader, and files for the browser', async () => {
    const dev = await settings({ basePath: '/docs' }, 'development-server', quiet)
    const { code, watched } = await load(`?id=${id.slice('content-space:'.length)}`, loaderOptions(dev))
    const encoded = await load(`?encoded=${encodeURIComponent(id.slice('content-space:'.length))}`, loaderOptions(dev))
    expect(encoded.code).toBe(code)
    expect(watched).toEqual([join(root, '.content-space/changes.json')])
    const address = /"(\/docs\/__content-space\/[0-9a-f]{16}\/arrow-left\.webp)"/.exec(code)?.[1] ?? ''
    const rewrites = await dev.rewrites?.()
    const [rewrite] = Array.isArray(rewrites) ? [] : (rewrites?.beforeFiles ?? [])
    const origin = new URL(rewrite?.destination ?? '').origin
    const response = await fetch(origin + address)
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'image/webp'])
    // By default, Node.js closes a connection that is idle for 5 seconds.
    expect(response.headers.get('keep-alive')).toBeNull()
    expect((await fetch(`${origin}/?id=kits`)).status).toBe(404)
  })

  test('names the importing file of a wrong id', async () => {
    const dev = await settings({}, 'development-server', quiet)
    await writeFile(join(root, 'late.js'), "\nimport late from 'content-space:asset/icons/late'")
    await expect(load('?id=asset/icons/late', loaderOptions(dev))).rejects.toThrow(
      /no asset late[\s\S]*late\.js:2[\s\S]*> 2 \| import late/,
    )
  })
})

const sheet = (asset: string): string => `a { background: url("content-space:asset/icons/${asset}") }`

describe('a style sheet', () => {
  test('refers to files of the build, to which no rule of the project applies', async () => {
    const svgr = { loaders: ['@svgr/webpack'], as: '*.js' }
    const own = { '*.svg': svgr, '*.css': ['own-loader'] }
    const built = await settings({ turbopack: { rules: own } }, 'production-build')
    const code = await loadSheet(sheet('arrow-right'), built)
    const path = /url\("(\.\/\.content-space\/next\/files\/[0-9a-f]{16}\/arrow-right\.svg)"\)/.exec(code)?.[1] ?? ''
    expect(await readFile(join(root, path), 'utf8')).toContain('<svg')
    const condition = { not: { path: '**/.content-space/next/files/**' } }
    expect(built.turbopack?.rules).toMatchObject({
      '*.svg': [{ ...svgr, condition }],
      '*.css': [{ condition: { content: /content-space:/ } }, { loaders: ['own-loader'], condition }],
    })
  })

  test('refers to files of the dev server', async () => {
    const dev = await settings({ basePath: '/docs' }, 'development-server', quiet)
    expect(await loadSheet(sheet('arrow-right'), dev)).toMatch(
      /^a { background: url\("\/docs\/__content-space\/[0-9a-f]{16}\/arrow-right\.svg"\) }$/,
    )
  })

  test.each(['production-build', 'development-server'])('with a wrong id is an error: %s', async (phase) => {
    const made = await settings({}, phase, quiet)
    await expect(loadSheet(sheet('arrow-rght'), made)).rejects.toThrow(/no asset arrow-rght[\s\S]*site\.css/)
  })
})

test('a file that takes long keeps the proxy of Next.js waiting', async () => {
  vi.useFakeTimers({ toFake: ['setInterval'] })
  const server = createServer((_, response) => {
    keepWaiting(response)
    vi.advanceTimersByTime(10_000)
    response.end('a file')
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const request = get(`http://127.0.0.1:${Object(server.address()).port}`, (response) => response.resume())
  const [[information]] = await Promise.all([once(request, 'information'), once(request, 'close')])
  expect(information).toMatchObject({ statusCode: 102 })
  vi.useRealTimers()
  server.close()
})
