import { execFile } from 'node:child_process'
import { mkdir, readFile, readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { project, type Project } from '../support/cli.js'
import { contents, pathsIn } from '../support/pull.js'
import { largeSpace, serveSpace, type ServedSpace, type SpaceFolder } from '../support/space.js'

const assets = 200
const main = fileURLToPath(new URL('../../dist/cli/bin.js', import.meta.url))

let space: SpaceFolder
let service: ServedSpace
let work: Project
let env: Record<string, string>

beforeAll(async () => {
  space = await largeSpace(assets)
  service = await serveSpace(space.folder, { rateLimit: false })
})
afterAll(async () => {
  await service.close()
  await space.remove()
})
beforeEach(async () => {
  env = service.env
  work = await project({ 'content-space.config.json': '{ "lockfile": false, "rateLimit": false }' }, env)
})
afterEach(() => work.remove())

const pull = ['pull', 'large', '--out', 'content']

interface Ran {
  code: number
  stderr: string
}

/** Runs a shell command line in the project. `$node` and `$main` start the command line. */
async function shell(line: string): Promise<Ran> {
  const variables = {
    PATH: process.env['PATH'],
    CONTENT_SPACE_CACHE: join(work.root, '.cache'),
    node: process.execPath,
    main,
    ...env,
  }
  return promisify(execFile)('sh', ['-c', line], { cwd: work.root, env: variables }).then(
    ({ stderr }) => ({ code: 0, stderr }),
    (error: { code: number; stderr: string }) => ({ code: error.code, stderr: error.stderr }),
  )
}

test('with few file handles, a pull succeeds, or its error names the remedy', async () => {
  const { code, stderr } = await shell(`ulimit -n 64 && "$node" "$main" ${pull.join(' ')}`)
  expect(stderr).not.toMatch(/^\s+at /m)
  if (code !== 0) expect(stderr).toMatch(/ulimit|concurrency/)
  expect([0, 1]).toContain(code)
  expect((await pathsIn(join(work.root, 'content'))).filter((path) => path.endsWith('.svg'))).toHaveLength(
    code === 0 ? assets : 0,
  )
})

/** Limits the size of files, which any user may do. With the signal ignored, writing fails as on a full disk. */
const limited = `ulimit -f 100; "$node" --import 'data:text/javascript,process.on("SIGXFSZ",()=>{})' "$main"`

const useOf = (name: string) => `import { ${name} } from 'content-space:kit/large'\nconsole.log(${name})\n`

describe('when the disk is full', () => {
  test('a pull reports it, without leaving files behind', async () => {
    await work.write({ 'space/big/01 A/film.mp4': 'film '.repeat(200_000) })
    const { code, stderr } = await shell(`${limited} pull big --out content --space space`)
    expect(code).toBe(1)
    expect(stderr).toMatch(/cannot be read or written/)
    expect(stderr).not.toMatch(/^\s+at /m)
    expect((await readdir(work.root)).filter((name) => name.includes('content') && !name.endsWith('.json'))).toEqual([])
  })

  test('a pull keeps the existing files unchanged', async () => {
    await work.write({ 'space/big/01 A/film.mp4': 'short', 'space/big/01 A/other.txt': 'other' })
    await shell('"$node" "$main" pull big --out content --space space')
    const before = await contents(join(work.root, 'content'))
    await work.write({ 'space/big/01 A/film.mp4': 'film '.repeat(200_000) })
    const { code } = await shell(`${limited} pull big --out content --space space`)
    expect(code).toBe(1)
    const after = await contents(join(work.root, 'content'))
    for (const [path, text] of Object.entries(before)) expect(after[path]).toBe(text)
    expect((await shell('"$node" "$main" pull big --out content --space space')).code).toBe(0)
    expect(await readFile(join(work.root, 'content/a/film.mp4'), 'utf8')).toHaveLength(1_000_000)
  })

  test('sync keeps the lockfile and the declarations, and says that it cannot write', async () => {
    await work.write({ 'content-space.config.json': '{ "rateLimit": false }', 'main.js': useOf('asset00001') })
    expect((await shell('"$node" "$main" sync')).code).toBe(0)
    const files = ['content-space.lock.json', 'content-space.d.ts', 'main.js', 'content-space.config.json']
    const read = () => Promise.all(files.map((name) => readFile(join(work.root, name), 'utf8')))
    await work.write({ 'main.js': useOf('asset00002') })
    const before = await read()
    const { code, stderr } = await shell(`${limited.replace('100', '1')} sync`)
    expect([code, stderr]).toEqual([1, expect.stringContaining('cannot be read or written: EFBIG')])
    expect(await read()).toEqual(before)
    expect((await readdir(work.root)).toSorted()).toEqual(['.cache', ...files].toSorted())
    expect((await shell('"$node" "$main" sync')).code).toBe(0)
  })

  test.each([['--demo'], ['--space', 'space']])(
    'init leaves nothing that the next init would keep: %s',
    async (...args) => {
      await rm(join(work.root, 'content-space.config.json'))
      await work.write({ 'space/brand/Logos/note.txt': 'note' })
      const { code, stderr } = await shell(`${limited.replace('100', '0')} init --yes ${args.join(' ')}`)
      expect([code, stderr]).toEqual([1, expect.stringContaining('cannot be read or written: EFBIG')])
      expect((await readdir(work.root)).filter((name) => name !== '.cache')).toEqual(['space'])
      const init = await shell(`"$node" "$main" init --yes ${args.join(' ')}`)
      expect(init.code, init.stderr).toBe(0)
    },
  )

  test('a mirror keeps the existing files unchanged', async () => {
    await work.write({ 'space/big/01 A/film.mp4': 'short' })
    await shell('"$node" "$main" mirror big --out mirror --space space')
    const before = await contents(join(work.root, 'mirror'))
    await work.write({ 'space/big/01 A/film.mp4': 'film '.repeat(200_000) })
    const { code, stderr } = await shell(`${limited} mirror big --out mirror --space space`)
    expect([code, stderr]).toEqual([1, expect.stringContaining('cannot be read or written')])
    expect(await contents(join(work.root, 'mirror'))).toEqual(before)
  })
})

describe('a cache that cannot be written', () => {
  test('is reported once, and the command continues without it', async () => {
    await writeFile(join(work.root, '.cache'), 'a file')
    const { code, stderr } = await work.run(...pull)
    expect(code).toBe(0)
    expect(stderr.match(/cannot be written/g)).toHaveLength(1)
    expect((await pathsIn(join(work.root, 'content'))).filter((path) => path.endsWith('.svg'))).toHaveLength(assets)
  })

  test('on a full disk: the command continues without it', async () => {
    const cache = join(work.root, '.cache')
    await mkdir(cache)
    await fill(cache)
    try {
      const { code, stderr } = await shell(`${limitFiles}"$node" "$main" ${pull.join(' ')}`)
      expect([code, stderr.match(/cannot be written \(\w+\)/g)?.length]).toEqual([0, 1])
      expect((await pathsIn(join(work.root, 'content'))).filter((path) => path.endsWith('.svg'))).toHaveLength(assets)
    } finally {
      if (mounted) await shell(`umount "${cache}"`)
      await rm(cache, { recursive: true, force: true })
    }
  })
})

let mounted = false
/**
 * A prefix for the command that is used if a small file system can't be mounted. The cache can't contain folders then.
 */
let limitFiles = ''

async function fill(cache: string): Promise<void> {
  mounted = (await shell(`mount -t tmpfs -o size=64k tmpfs "${cache}"`)).code === 0
  if (mounted) return
  await writeFile(join(cache, 'files-v3'), '')
  limitFiles = `chmod 500 "${cache}" && `
}
