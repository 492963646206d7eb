import { readFile, rename, rm, stat, symlink, truncate, utimes, writeFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { beforeEach, describe, expect, test } from 'vitest'
import { project, type Project } from '../support/cli.js'
import { bundledModules } from '../support/loaded-modules.js'
import { contents, kit, kitJson, upstream } from '../support/pull.js'
import { serveSpace, svg, writeSpace, type ServedSpace, type SpaceFolder } from '../support/space.js'

// Each run that a test examines is a process that records the files it opens and the modules it loads.

const inlined = (code: string): string => `data:text/javascript,${encodeURIComponent(code)}`
const loads = `
  import { appendFileSync } from 'node:fs'
  export async function load(url, context, next) {
    appendFileSync(process.env.LIST, url + '\\n')
    return next(url, context)
  }`
const recorder = `
  import fs, { appendFileSync } from 'node:fs'
  import { register, syncBuiltinESMExports } from 'node:module'
  register(${JSON.stringify(inlined(loads))})
  const wrap = (of, name) => {
    const call = of[name]
    of[name] = (path, ...rest) => {
      if (typeof path === 'string' && path !== process.env.LIST) appendFileSync(process.env.LIST, path + '\\n')
      return call(path, ...rest)
    }
  }
  for (const name of ['readFileSync', 'openSync']) wrap(fs, name)
  for (const name of ['readFile', 'open']) wrap(fs.promises, name)
  syncBuiltinESMExports()`

let space: SpaceFolder
let service: ServedSpace
let work: Project
let list: string

beforeEach(async () => {
  space = await writeSpace(upstream)
  service = await serveSpace(space.folder)
  list = join(space.folder, '..', `${space.folder.split('/').at(-1)}.list`)
  work = await project(
    { 'package.json': '{}' },
    {
      CONTENT_SPACE_URL: service.url,
      CONTENT_SPACE_ID: String(service.spaceId),
      CONTENT_SPACE_TOKEN: service.token,
      // Node 26 warns about `register`, but its replacement is missing in Node 20.
      NODE_OPTIONS: `--disable-warning=DEP0205 --import=${inlined(recorder)}`,
      LIST: list,
    },
  )
  return async () => {
    await work.remove()
    await service.close()
    await space.remove()
    await rm(list, { force: true })
  }
})

interface Run {
  code: unknown
  stdout: string
  stderr: string
  /** Whether the run loaded the code that names kits and renders modules. */
  loadsKits: boolean
  /** The files of the pulled folder that the run opened, sorted. */
  read: string[]
  requests: number
}

const command = (args: string[]): string[] => ['pull', ...(args.length > 0 ? args : ['acme-brand']), '--out', 'content']

async function pull(...args: string[]): Promise<Run> {
  await writeFile(list, '')
  service.requests.length = 0
  const ran = await work.runProcess(...command(args))
  const lines = [...new Set((await readFile(list, 'utf8')).split('\n'))]
  const scripts = lines.flatMap((line) => /^file:.*\/dist\/(.*)/.exec(line)?.[1] ?? [])
  const modules = bundledModules()
  const out = join(work.root, 'content/')
  return {
    ...ran,
    loadsKits: scripts.some((file) => modules[file]?.includes('build/commands/pull/run.js')),
    read: lines.flatMap((line) => (line.startsWith(out) ? [relative(out, line)] : [])).toSorted(),
    requests: service.requests.length,
  }
}

/** Pulls without recording, in the test's process. */
async function prepare(...args: string[]): Promise<void> {
  expect(await work.run(...command(args))).toMatchObject({ code: 0 })
}

const at = (path: string): string => join(work.root, 'content', path)
const upToDate = [
  'Acme Brand (version 1): no files to write; 3 files are up to date',
  'Acme Brand: 3 asset files in content; nothing has changed; nothing downloaded',
  '',
].join('\n')

/** Waits longer than a tick of the file system's clock. */
const tick = () => sleep(300)

describe('a run after which nothing has changed', () => {
  test('loads no kit, and reads only files that were changed in the last moment before they were recorded', async () => {
    expect((await pull()).loadsKits).toBe(true)
    expect(await pull()).toMatchObject({ code: 0, stdout: upToDate, stderr: '', loadsKits: false, requests: 0 })
    await tick()
    await writeFile(at('logos/badge.svg'), await readFile(at('logos/badge.svg')))
    expect(await pull()).toMatchObject({ stdout: upToDate, loadsKits: true })
    expect(await pull()).toMatchObject({ stdout: upToDate, loadsKits: false, read: ['logos/badge.svg'] })
  })

  test('prints the same document as a run that loads the kit', async () => {
    await prepare()
    const short = await pull('acme-brand', '--json')
    await utimes(at('index.js'), 1, 1)
    const long = await pull('acme-brand', '--json')
    expect([short.loadsKits, long.loadsKits]).toEqual([false, true])
    expect(short.stdout).toBe(long.stdout)
  })

  test('loads the kit if the cache is gone, or has been damaged', async () => {
    await prepare()
    await rm(join(work.root, '.cache'), { recursive: true })
    expect(await pull()).toMatchObject({ stdout: upToDate, loadsKits: true })
    expect(await pull()).toMatchObject({ stdout: upToDate, loadsKits: false })
    for (const path of Object.keys(await contents(join(work.root, '.cache'))))
      if (path.includes('/content/')) await truncate(join(work.root, '.cache', path), 3)
    expect(await pull()).toMatchObject({ stdout: upToDate, loadsKits: true })
  })

  test.each([['acme-brand@draft'], ['acme-brand', '--only-used']])('loads the kit of %j %j', async (...args) => {
    await work.write({ 'src/main.js': "import 'content-space:asset/acme-brand/badge'" })
    await prepare(...args)
    expect((await pull(...args)).loadsKits).toBe(true)
  })

  test('requests the version in use if there is no lockfile', async () => {
    await rm(join(work.root, 'package.json'))
    const from = ['acme-brand', '--space', service.url, '--space-id', String(service.spaceId), '--token', service.token]
    await prepare(...from)
    await space.write({ 'brand/kit.json': kitJson(2) })
    const { loadsKits, stdout } = await pull(...from)
    expect([loadsKits, stdout]).toEqual([true, expect.stringContaining('(version 2)')])
  })
})

const lockfile = (): string => join(work.root, 'content-space.lock.json')
const sameSize = (text: string): string => text.replace('badge', 'BADGE')

describe('a run loads the kit, and does what it did before there was a record, after', () => {
  test.each<[string, () => Promise<unknown>, string]>([
    [
      'an edit of the same size whose time was set back',
      async () => {
        const { atime, mtime } = await stat(at('logos/badge.svg'))
        await writeFile(at('logos/badge.svg'), sameSize(await readFile(at('logos/badge.svg'), 'utf8')))
        await utimes(at('logos/badge.svg'), atime, mtime)
      },
      'kept 1 file that you have changed',
    ],
    ['the removal of a file', () => rm(at('logos/badge.js')), 'wrote 1 file;'],
    ['a damaged manifest', () => truncate(at('manifest.json'), 100), 'is not a manifest'],
    ['the removal of the manifest', () => rm(at('manifest.json')), 'did not write'],
    [
      'a link in the place of a folder',
      async () => {
        await rename(at('logos'), join(work.root, 'logos'))
        await symlink(join(work.root, 'logos'), at('logos'))
      },
      'kept 9 files',
    ],
    ['a space in the folder', () => writeFile(at('space.json'), '{}'), 'is a space itself'],
    ['another alias', () => work.write({ 'content-space.config.json': `{"kits":{"b":"${kit}"}}` }), 'nothing has'],
    [
      'a change of a name in the lockfile',
      async () => writeFile(lockfile(), (await readFile(lockfile(), 'utf8')).replaceAll('"badge"', '"theBadge"')),
      'wrote',
    ],
    ['the removal of the lockfile', () => rm(lockfile()), 'nothing has changed'],
  ])('%s', async (_, change, outcome) => {
    await prepare()
    await tick()
    await change()
    const { loadsKits, stdout, stderr } = await pull()
    expect([loadsKits, stdout + stderr]).toEqual([true, expect.stringContaining(outcome)])
  })

  test('damage to the lockfile, which is an error', async () => {
    await prepare()
    await truncate(lockfile(), 50)
    expect(await pull()).toMatchObject({ code: 1, stderr: expect.stringContaining('is not valid JSON') })
  })

  test('a change of options, and back', async () => {
    await prepare()
    expect((await pull('acme-brand', '--asset', 'badge')).stdout).toContain('removed')
    expect((await pull('acme-brand', '--asset', 'badge')).loadsKits).toBe(true)
    expect((await pull('acme-brand', '--asset', 'badge')).loadsKits).toBe(false)
    expect((await pull()).stdout).toContain('wrote')
    expect(await readFile(at('logos/acme-logo.svg'), 'utf8')).toBe(svg('logo one', 120, 40))
  })

  test('an update to a new version', async () => {
    await prepare()
    await space.write({ 'brand/kit.json': kitJson(2) })
    expect((await work.run('update', 'acme-brand')).code).toBe(0)
    expect((await pull()).stdout).toContain('Acme Brand (version 2): 2 files')
    expect(await readFile(at('logos/badge.svg'), 'utf8')).toBe(svg('badge two'))
  })
})
