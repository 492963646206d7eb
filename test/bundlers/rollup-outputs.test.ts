import { createRequire } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { createContext, runInContext } from 'node:vm'
import { rolldown } from 'rolldown'
import { rollup, type OutputOptions } from 'rollup'
import contentSpaceRolldown from 'unplugin-content-space/rolldown'
import contentSpaceRollup from 'unplugin-content-space/rollup'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Options } from '../../src/config/options.js'
import { contentService, kitUuid, upload } from '../support/content-service.js'
import { faultServer } from '../support/fault-server.js'
import { svg } from '../support/space.js'
import { createProject, readTree, type Project } from './driver.js'
import { kits, openTestSpace, type TestSpace } from './space.js'

/** In these two bundlers, the plugin writes the URLs. They run through their own APIs. */
const bundlers = {
  async rollup(input: string, options: Options, outputs: OutputOptions[]) {
    const log: string[] = []
    const bundle = await rollup({
      input,
      plugins: [contentSpaceRollup(options)],
      onLog: (_level, { message }) => void log.push(message),
    })
    for (const output of outputs) await bundle.write(output)
    await bundle.close()
    return log.join('\n')
  },
  async rolldown(input: string, options: Options, outputs: OutputOptions[]) {
    const log: string[] = []
    const bundle = await rolldown({
      input,
      plugins: [contentSpaceRolldown(options)],
      onLog: (_level, { message }) => void log.push(message),
    })
    for (const { dir, format, name, assetFileNames, entryFileNames } of outputs) {
      const settings = { dir, format, name, assetFileNames, entryFileNames }
      await bundle.write(JSON.parse(JSON.stringify(settings)))
    }
    await bundle.close()
    return log.join('\n')
  },
}

let space: TestSpace
let project: Project
beforeAll(async () => {
  space = await openTestSpace()
  project = await createProject({
    'main.js': `import { acmeLogo } from 'content-space:kit/${kits.brand}'; export const src = acmeLogo.src`,
  })
})
afterAll(async () => {
  await project.remove()
  await space.close()
})

/** Runs a script as an AMD loader does: calls its factory when the script has ended. */
async function loadAmd(script: string): Promise<unknown> {
  type Factory = (...given: unknown[]) => unknown
  const defined: [string[], Factory][] = []
  const document: { currentScript: unknown; baseURI: string } = {
    currentScript: { src: 'https://site.example/scripts/main.js' },
    baseURI: 'https://site.example/page/',
  }
  const define = (...given: unknown[]): void => {
    const factory = given.at(-1)
    const names = given.find((one) => Array.isArray(one)) ?? []
    if (typeof factory === 'function') defined.push([names, (...values) => factory(...values)])
  }
  runInContext(script, createContext({ URL, document, define: Object.assign(define, { amd: true }) }))
  document.currentScript = null
  const exports = { src: undefined }
  const require = { toUrl: (path: string) => path.replace(/^\.\//, '/scripts/') }
  const values: Record<string, unknown> = { exports, require }
  const returned = defined.map(([names, factory]) => factory(...names.map((name) => values[name])))
  return exports.src ?? returned[0]
}

test('rolldown: a module of import() in a classic script resolves files relative to the script', async () => {
  const dir = join(project.root, 'rolldown-later')
  await project.write({ 'later.js': `globalThis.load = () => import('./main.js')` })
  const bundle = await rolldown({
    input: join(project.root, 'later.js'),
    plugins: [contentSpaceRolldown({ ...space.options(), types: false, lockfile: false })],
  })
  await bundle.write({ dir, format: 'iife', codeSplitting: false })
  await bundle.close()
  const files = await readTree(dir)
  const document: { currentScript: unknown; baseURI: string } = {
    currentScript: { src: 'https://site.example/scripts/later.js' },
    baseURI: 'https://site.example/',
  }
  const context = createContext({ URL, document })
  runInContext(String(files.get('later.js')), context)
  document.currentScript = null
  const { src } = await runInContext('load()', context)
  expect(src).toBe(`https://site.example/scripts/${[...files.keys()][0]}`)
})

const input = () => join(project.root, 'main.js')
const logo = () => space.original('brand/01 Logos/acme-logo.svg')

for (const [name, build] of Object.entries(bundlers)) {
  test(`${name}: names the chunks of assets by a name at run time after them`, async () => {
    const icons = await createProject({
      'main.js': `import logos from 'content-space:section/${kits.brand}/logos?lazy'; export default logos`,
    })
    const dir = join(icons.root, 'out')
    await build(join(icons.root, 'main.js'), { ...space.options(), lockfile: false, types: false }, [
      { dir, format: 'es' },
    ])
    const scripts = [...(await readTree(dir)).keys()].filter((path) => path.endsWith('.js'))
    const names = ['acme-logo', 'acme-logo-dark', 'main', 'shared-mark']
    expect(scripts.map((path) => path.replace(/(?:-[\w-]{8})?\.js$/, '')).toSorted()).toEqual(names)
    await icons.remove()
  })

  test(`${name}: writes all files to each output of a build, and downloads them once`, async () => {
    const dirs = ['es', 'cjs'].map((format) => join(project.root, `${name}-several`, format))
    space.requests()
    await build(input(), { ...space.options(), types: false, lockfile: false }, [
      { dir: dirs[0] ?? '', format: 'es', assetFileNames: 'files/[name]-[hash][extname]' },
      { dir: dirs[1] ?? '', format: 'cjs', assetFileNames: '[name][extname]', entryFileNames: '[name].cjs' },
    ])
    expect(space.requests().filter((request) => request.includes('/download'))).toHaveLength(1)
    const [es, cjs] = await Promise.all(dirs.map(readTree))
    expect([...(es ?? []).keys()]).toEqual([expect.stringMatching(/^files\/acme-logo-[\w-]+\.svg$/), 'main.js'])
    expect([...(cjs ?? []).keys()]).toEqual(['acme-logo.svg', 'main.cjs'])
    const module: { src: string } = await import(pathToFileURL(join(dirs[0] ?? '', 'main.js')).href)
    expect(module.src).toBe(pathToFileURL(join(dirs[0] ?? '', String([...(es ?? []).keys()][0]))).href)
    const required: { src: string } = createRequire(import.meta.url)(join(dirs[1] ?? '', 'main.cjs'))
    expect(required.src).toBe(pathToFileURL(join(dirs[1] ?? '', 'acme-logo.svg')).href)
  })

  test.each(['iife', 'umd'] as const)(
    `${name}: %s resolves files relative to the script, in a page and in a worker`,
    async (format) => {
      const dir = join(project.root, `${name}-${format}`)
      await build(input(), { ...space.options(), types: false, lockfile: false }, [{ dir, format, name: 'bundle' }])
      const files = await readTree(dir)
      const [asset] = [...files.keys()]
      const page = {
        URL,
        document: { currentScript: { src: 'https://site.example/scripts/main.js' }, baseURI: 'https://site.example/' },
      }
      const worker = { URL, location: { href: 'https://site.example/scripts/main.js' } }
      for (const scope of [page, worker]) {
        const context = createContext(scope)
        runInContext(String(files.get('main.js')), context)
        expect(runInContext('bundle.src', context)).toBe(`https://site.example/scripts/${asset}`)
      }
    },
  )

  test.each(name === 'rollup' ? (['umd', 'amd'] as const) : (['umd'] as const))(
    `${name}: %s resolves files relative to the script when a loader of modules runs it later`,
    async (format) => {
      for (const text of [`export const src = acmeLogo.src`, `export default acmeLogo.src`]) {
        const dir = join(project.root, `${name}-${format}-loader`)
        await project.write({ 'late.js': `import { acmeLogo } from 'content-space:kit/${kits.brand}'; ${text}` })
        const settings = { ...space.options(), types: false as const, lockfile: false as const }
        await build(join(project.root, 'late.js'), settings, [{ dir, format, name: 'bundle' }])
        const files = await readTree(dir)
        const script = String(files.get('late.js'))
        expect(await loadAmd(script)).toBe(`https://site.example/scripts/${[...files.keys()][0]}`)
      }
    },
  )

  test(`${name}: warns about a build for Node without a public path`, async () => {
    const dir = join(project.root, `${name}-node`)
    expect(
      await build(input(), { ...space.options(), types: false, lockfile: false }, [{ dir, format: 'cjs' }]),
    ).toContain('publicPath')
    const silent = await build(input(), { ...space.options(), types: false, lockfile: false, publicPath: '/x' }, [
      { dir, format: 'cjs' },
    ])
    expect(silent).not.toContain('publicPath')
  })

  test(`${name}: a server build has the client build's URLs and doesn't emit files`, async () => {
    const dirs = ['client', 'server'].map((side) => join(project.root, `${name}-sides`, side))
    const options = { ...space.options(), types: false as const, lockfile: false as const, publicPath: '/x' }
    await build(input(), options, [{ dir: dirs[0] ?? '', format: 'es' }])
    await build(input(), { ...options, emitFiles: false }, [{ dir: dirs[1] ?? '', format: 'es' }])
    const [client, server] = await Promise.all(dirs.map(readTree))
    expect([...(server ?? []).keys()]).toEqual(['main.js'])
    expect(server?.get('main.js')).toEqual(client?.get('main.js'))
    expect([...(client ?? [])][0]?.[1]).toEqual(logo())
  })

  test(`${name}: the same content gives the same bytes`, async () => {
    const dirs = ['one', 'two'].map((side) => join(project.root, `${name}-same`, side))
    for (const dir of dirs)
      await build(input(), { ...space.options(), types: false, lockfile: false }, [{ dir, format: 'es' }])
    const [one, two] = await Promise.all(dirs.map(readTree))
    expect(one).toEqual(two)
  })

  test(`${name}: names without a hash do not depend on which download ends first`, async () => {
    const uploads = ['one', 'two'].map((text, at) => upload(at, 'Logo', 'SVG', Buffer.from(svg(text))))
    const [first, second] = uploads.map(({ record }) => record.uuid)
    await project.write({
      'lazy.js': `export default () => [import('./first.js'), import('./second.js')]`,
      'first.js': `export { default } from 'content-space:asset/${kitUuid}/${first}'`,
      'second.js': `export { default } from 'content-space:asset/${kitUuid}/${second}'`,
    })
    const trees = []
    for (const late of [first, second]) {
      const other = new AbortController()
      const content = contentService({ uploads })
      const service = await faultServer((response, request, at) => {
        const answer = () => content(response, request, at)
        if (request.url?.includes(`${late}/download`) && !other.signal.aborted)
          return other.signal.addEventListener('abort', answer)
        if (request.url?.includes('/download')) response.once('close', () => other.abort())
        return answer()
      })
      const dir = join(project.root, `${name}-${late}`)
      const options = { space: service.url, spaceId: 7, token: 'a-token', cacheDir: `${dir}-cache` }
      const output = { dir, format: 'es', assetFileNames: '[name][extname]' } as const
      await build(join(project.root, 'lazy.js'), { ...options, types: false, lockfile: false }, [output])
      await service.close()
      trees.push(await readTree(dir))
    }
    expect(trees[0]).toEqual(trees[1])
    expect([...(trees[0]?.keys() ?? [])].filter((file) => file.endsWith('.svg'))).toHaveLength(2)
  })
}
