import { execFile } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { project, type Project } from '../support/cli.js'
import { faultServer, refusal, type FaultServer } from '../support/fault-server.js'
import { everything, hostileKit, hostileSpace, hostileTexts, steered } from '../support/hostile-texts.js'
import { serveSpace, writeSpace, type ServedSpace, type SpaceFolder } from '../support/space.js'

const main = fileURLToPath(new URL('../../dist/cli/bin.js', import.meta.url))

let space: SpaceFolder
let service: ServedSpace
let work: Project
let faulty: FaultServer
let env: Record<string, string>

beforeAll(async () => {
  space = await writeSpace(hostileSpace())
  service = await serveSpace(space.folder, { rateLimit: false })
  faulty = await faultServer((response, { url = '' }) => {
    if (url.includes('/kits')) return refusal(response, 401, 401, everything)
    response.writeHead(400, { 'content-type': 'text/html' }).end(`<h1>${everything}</h1>`)
  })
  env = service.env
  work = await project(
    {
      'content-space.config.json': JSON.stringify({ kits: { brand: hostileKit } }),
      'vite.config.js': '',
      'wrong/a.js': `import x from 'content-space:asset/brand/nothing'\nimport { nothing } from 'content-space:kit/brand'\nimport kit from 'content-space:kit/brand?cut=eps'\n`,
      'right/a.js': `import kit from 'content-space:kit/brand'\nimport draft from 'content-space:kit/brand@draft'\n`,
    },
    env,
  )
})
afterAll(async () => {
  await work.remove()
  await service.close()
  await faulty.close()
  await space.remove()
})

/** Additional configuration files, whose options extend `content-space.config.json`. */
const right = ['--config', 'right.json']
const wrong = ['--config', 'wrong.json']

/**
 * Each output of the command line with its command: `code` is the exit code, and `holds` is text that the output
 * contains.
 */
const outputs: [name: string, args: string[], code: number, holds: string][] = [
  ['list of kits', ['ls'], 0, hostileKit],
  ['a kit as a tree', ['ls', 'brand@draft'], 0, '1 section'],
  ['versions', ['ls', 'brand', '--versions'], 0, 'draft'],
  ['a filtered tree', ['ls', 'brand', '--type', 'svg', '--keyword', 'logo'], 0, 'SVG'],
  ['what a search finds', ['ls', 'brand', '--search', 'type:svg'], 0, 'SVG'],
  ['a search without results', ['ls', 'brand', '--search', 'nothing'], 0, 'matches nothing'],
  ['a catalog', ['catalog'], 0, '# Content'],
  ['a catalog as JSON', ['catalog', '--json'], 0, '# Content'],
  ['a keyword that nothing has', ['ls', 'brand', '--keyword', 'lago'], 1, 'Did you mean'],
  ['a type that nothing has', ['ls', 'brand', '--type', 'sgv'], 1, 'Did you mean'],
  ['a section that is not there', ['ls', 'brand', '--section', 'nothing'], 1, 'There is no section'],
  ['list of kits as JSON', ['ls', '--json'], 0, hostileKit],
  ['a kit as JSON', ['ls', 'brand', '--json'], 0, hostileKit],
  ['versions as JSON', ['ls', 'brand', '--versions', '--json'], 0, 'version'],
  ['a dry run', ['pull', 'brand', '--out', 'dry', '--dry-run'], 0, 'would write'],
  ['a dry run as JSON', ['pull', 'brand', '--out', 'dry', '--dry-run', '--json'], 0, 'written'],
  ['a pull: plan, progress, summary, warnings', ['pull', 'brand', '--out', 'content'], 0, 'sanitized'],
  ['a pull again', ['pull', 'brand', '--out', 'content'], 0, 'nothing has changed'],
  ['a pull as JSON', ['pull', 'brand', '--out', 'content', '--json'], 0, 'reused'],
  ['a pull of what is not there', ['pull', 'brand', '--out', 'content', '--asset', 'nothing'], 1, 'There is no asset'],
  [
    'a pull of a cut that is not offered',
    ['pull', 'brand', '--out', 'content', '--cut', 'eps'],
    1,
    'do not have this cut',
  ],
  [
    'a pull offline',
    ['pull', 'brand', '--out', 'content', '--offline', '--cache-dir', 'empty'],
    0,
    'nothing downloaded',
  ],
  ['a difference', ['diff', 'brand', '--from', '1', '--to', 'draft'], 0, 'renamed'],
  ['a difference as Markdown', ['diff', 'brand', '--from', '1', '--to', 'draft', '--markdown'], 0, '| renamed |'],
  ['a difference as a page', ['diff', 'brand', '--from', '1', '--to', 'draft', '--html'], 0, '<h1>'],
  ['a difference as JSON', ['diff', 'brand', '--from', '1', '--to', 'draft', '--json'], 0, 'renamed'],
  ['sync', ['sync', ...right], 0, 'in the source'],
  ['sync as JSON', ['sync', '--json', ...right], 0, 'specifiers'],
  ['sync of a source that is wrong', ['sync', ...wrong], 1, 'There is no asset'],
  ['sync of a source that is wrong, as JSON', ['sync', '--json', ...wrong], 1, 'There is no asset'],
  ['an update', ['update', ...right], 0, 'in the source'],
  ['a verification', ['verify', ...right], 0, 'are up to date'],
  ['a verification that fails', ['verify', ...wrong], 1, 'There is no asset'],
  ['a verification as JSON', ['verify', '--json', ...wrong], 1, 'There is no asset'],
  ['a frozen lock', ['sync', '--frozen', '--config', 'frozen.json'], 1, 'The lockfile is frozen'],
  ['sync offline', ['sync', '--offline', '--cache-dir', 'empty', ...right], 1, 'offline'],
  ['a mirror', ['mirror', 'brand', '--out', 'mirror'], 0, 'version'],
  ['a mirror as JSON', ['mirror', 'brand', '--out', 'mirror', '--json'], 0, 'versions'],
  ['init', ['init', '--yes', '--kit', 'brand'], 0, 'found vite'],
  ['init as JSON', ['init', '--kit', 'brand', '--json'], 0, 'vite'],
  ['the cache', ['cache', 'ls'], 0, 'original'],
  ['the cache as JSON', ['cache', 'ls', '--json'], 0, 'original'],
  ['a check of the cache', ['cache', 'verify'], 0, 'checked'],
  ['completion of a kit', ['complete', '--', 'ls', ''], 0, ':'],
  ['an unknown command', ['::error::x'], 2, 'unknown command'],
  ['an error message of the service', ['ls', '--config', 'faulty.json'], 1, 'Its message'],
  ['an error page of the service', ['ls', hostileKit, '--config', 'faulty.json'], 1, 'service'],
  ['an error message in init', ['init', '--config', 'faulty.json'], 0, 'Its message'],
  ['a folder with hostile names that is no space', ['ls', '--config', 'folder.json'], 1, 'is invalid'],
]

beforeAll(async () => {
  const kits = { brand: hostileKit }
  const write = (name: string, options: object) =>
    writeFile(join(work.root, name), JSON.stringify({ kits, ...options }))
  await write('right.json', { scan: ['right/**'], types: 'right.d.ts', lockfile: 'right.lock.json' })
  await write('wrong.json', { scan: ['wrong/**'], types: 'wrong.d.ts', lockfile: 'wrong.lock.json' })
  await write('frozen.json', { scan: ['right/**'], types: false, lockfile: 'frozen.lock.json' })
  await write('faulty.json', { space: faulty.url, timeout: 500, lockfile: false })
  await write('folder.json', { space: 'odd', lockfile: false })
  await work.write({
    [`odd/${everything.replaceAll(/[/\0]/g, '').slice(0, 80)}/kit.json`]: JSON.stringify({ uuid: everything }),
  })
  const slug = 'brand'
  const last = { version: 1, versionIdentifier: everything, date: '2024-01-01T00:00:00Z' }
  const assets = { '237C41F2-AAAA-4BBB-8CCC-000000000000': { name: 'other', slug: 'other', lastSeen: last } }
  const table = { label: everything, date: last.date, sections: {}, items: {}, assets }
  await work.write({
    'frozen.lock.json': JSON.stringify({
      lockfileVersion: 2,
      space: '7',
      kits: { [hostileKit]: { name: everything, slug, use: 1, versions: { 1: table } } },
    }),
  })
})

/** Run in the order of the table, because some commands read files that earlier ones wrote. */
describe('the output of the command line has no control sequences', () => {
  test.each(outputs)('%s, in a pipe', async (_, args, code, holds) => {
    const ran = await (args[0] === 'complete' ? work.runProcess(...args) : work.run(...args))
    expect(steered(ran.stdout)).toEqual([])
    expect(steered(ran.stderr)).toEqual([])
    expect(ran.stdout + ran.stderr).toContain(holds)
    expect({ code: ran.code, output: ran.stderr }).toEqual({ code, output: ran.stderr })
    if (args.includes('--json') && code === 0) expect(() => JSON.parse(ran.stdout)).not.toThrow()
  })

  const drawn = [
    'a kit as a tree',
    'a pull: plan, progress, summary, warnings',
    'a difference',
    'sync of a source that is wrong',
    'a mirror',
    'init',
    'the cache',
    'an error message of the service',
  ]
  test.each(outputs.filter(([name]) => drawn.includes(name)))('%s, in a terminal', async (_, args, code) => {
    const words = args.map((word) => (word === 'content' ? 'content-of-terminal' : word))
    const command = [process.execPath, main, ...words].map((word) => `'${word}'`).join(' ')
    const given = {
      PATH: process.env['PATH'],
      TERM: 'xterm-256color',
      CONTENT_SPACE_CACHE: join(work.root, '.cache-of-terminal'),
      ...env,
    }
    const { status, stdout } = await new Promise<{ status: unknown; stdout: string }>((done) => {
      execFile(
        'script',
        ['-qec', `stty cols 120; ${command}`, '/dev/null'],
        { cwd: work.root, timeout: 60_000, env: given },
        (error, out) => done({ status: error?.code ?? 0, stdout: out }),
      ).stdin?.end()
    })
    expect(stdout).not.toBe('')
    expect(steered(stdout, true)).toEqual([])
    expect(status).toBe(code)
  })

  test('serve, with and without --json', async () => {
    for (const flags of [[], ['--json']]) {
      const server = work.start('serve', space.folder, '--token', 'secret', ...flags)
      await vi.waitUntil(() => server.printed().includes('127.0.0.1'), { timeout: 60_000 })
      server.kill('SIGINT')
      const { stdout, stderr } = await server.ended
      expect(steered(stdout + stderr)).toEqual([])
    }
  })
})

describe('data stays exact', () => {
  test('in JSON', async () => {
    const { stdout } = await work.run('ls', 'brand@draft', '--json')
    const { name, sections } = JSON.parse(stdout)
    expect(name).toBe(everything)
    const names = sections[0].items.flatMap(({ asset }: { asset?: { name: string } }) => (asset ? [asset.name] : []))
    expect(names).toEqual([...hostileTexts, everything])
  })

  test('in files, without control sequences', async () => {
    const read = (path: string) => readFile(join(work.root, path), 'utf8')
    const manifest = await read('content/manifest.json')
    expect(JSON.parse(manifest).kit.name).toBe(everything)
    const lock = await read('right.lock.json')
    const { use, versions } = JSON.parse(lock).kits[hostileKit]
    expect(versions[use].label).toBe(everything)
    for (const text of [
      manifest,
      lock,
      await read('content/index.js'),
      await read('content/index.d.ts'),
      await read('right.d.ts'),
      await read('mirror/brand/kit.json').catch(() => ''),
    ]) {
      expect(steered(text)).toEqual([])
    }
    const { default: kit } = await import(join(work.root, 'content/index.js'))
    expect(kit.name).toBe(everything)
    expect(kit.sections[0].items[1].asset.name).toBe(`${hostileTexts[0]} before`)
  })

  test('in an HTML page, which is the same in a file as on stdout', async () => {
    const diff = ['diff', 'brand', '--from', '1', '--to', 'draft', '--html']
    await work.run(...diff, 'page.html')
    expect(await readFile(join(work.root, 'page.html'), 'utf8')).toBe((await work.run(...diff)).stdout)
  })
})
