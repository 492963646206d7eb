import { spawnSync } from 'node:child_process'
import { readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { project, type Project } from '../support/cli.js'
import { pathsIn, upstream } from '../support/pull.js'
import { serveSpace, writeSpace, type ServedSpace, type SpaceFolder } from '../support/space.js'

let space: SpaceFolder
let service: ServedSpace
let work: Project

beforeAll(async () => {
  space = await writeSpace(upstream)
  service = await serveSpace(space.folder)
})
afterAll(async () => {
  await service.close()
  await space.remove()
})
beforeEach(async () => {
  work = await project({}, service.env)
  return () => work.remove()
})

describe('in a pipe', () => {
  test('prints the plan and a summary', async () => {
    const { code, stdout, stderr } = await work.run('pull', 'acme-brand', '--out', 'content')
    expect(code).toBe(0)
    expect(stdout.split('\n')).toEqual([
      'Acme Brand (version 1): 3 files, 407 B, 1 % of the download limit',
      'Acme Brand: 3 asset files in content; wrote 15 files; downloaded 3 files, 407 B',
      '',
    ])
    expect(stderr).toBe('')
  })

  test('reports that nothing has changed, without downloading anything', async () => {
    await work.run('pull', 'acme-brand', '--out', 'content')
    service.requests.length = 0
    const { stdout, stderr } = await work.run('pull', 'acme-brand', '--out', 'content')
    expect(stdout.split('\n')).toEqual([
      'Acme Brand (version 1): no files to write; 3 files are up to date',
      'Acme Brand: 3 asset files in content; nothing has changed; nothing downloaded',
      '',
    ])
    expect(stderr).toBe('')
    expect(service.requests).toEqual([])
  })

  test('prints one document and nothing else with --json', async () => {
    const { stdout, stderr } = await work.run('pull', 'acme-brand', '--out', 'content', '--json')
    expect(JSON.parse(stdout)).toMatchObject({
      kits: [{ name: 'Acme Brand', folder: 'content', files: 3, reused: 0, removed: [], kept: [] }],
      downloads: 3,
      warnings: [],
    })
    expect(stderr).toBe('')
  })

  test('prints only the plan with --dry-run', async () => {
    const { stdout } = await work.run('pull', 'acme-brand', '--out', 'content', '--dry-run', '--asset', 'badge')
    expect(stdout).toContain('would write content/logos/badge.svg\n')
    expect(await pathsIn(join(work.root, 'content'))).toEqual([])
  })
})

// `script` creates a terminal. Its flags are those on Linux.
describe('in a terminal', () => {
  test('of unknown width, a pull draws no bar, and finishes', () => {
    const main = fileURLToPath(new URL('../../dist/cli/bin.js', import.meta.url))
    const pull = `${process.execPath} ${main} pull acme-brand --space ${space.folder} --out content --cache-dir .cache`
    const { status, stdout } = spawnSync('script', ['-qec', `stty cols 0; ${pull}`, '/dev/null'], {
      cwd: work.root,
      env: { PATH: process.env['PATH'] },
      stdio: ['ignore', 'pipe', 'ignore'],
      encoding: 'utf8',
      timeout: 20_000,
    })
    expect(status).toBe(0)
    expect(stdout).toContain('Acme Brand: 3 asset files')
  })
})

describe('flags', () => {
  test('select the assets and the form of the output', async () => {
    const filters = [
      '--section',
      'logos',
      '--heading',
      'small-marks',
      '--asset',
      'badge',
      '--headings',
      '--cut',
      'png',
      '--module',
      'import',
    ]
    await work.run('pull', 'acme-brand@2', '--out', 'content', ...filters)
    const badge = 'logos/small-marks/badge'
    expect(await pathsIn(join(work.root, 'content'))).toEqual([
      'index.d.ts',
      'index.js',
      `${badge}.d.ts`,
      `${badge}.js`,
      `${badge}.png`,
      'manifest.json',
      'package.json',
    ])
    expect(await readFile(join(work.root, 'content', `${badge}.js`), 'utf8')).toMatch(
      /^import file0 from ".\/badge.png"\n/,
    )
  })

  test('of several kits: the output has a summary of each kit and the total of downloads', async () => {
    const { stdout } = await work.run('pull', 'acme-brand@1', 'acme-brand@2', '--out', 'content', '--asset', 'badge')
    expect(stdout.split('\n').slice(2)).toEqual([
      'Acme Brand: 1 asset file in content/acme-brand@1; wrote 7 files',
      'Acme Brand: 1 asset file in content/acme-brand@2; wrote 7 files',
      expect.stringMatching(/^downloaded 2 files, \d+ B$/),
      '',
    ])
  })

  test.each([
    ['--no-prune', true],
    ['--prune', false],
  ])('%s', async (flag, left) => {
    await work.run('pull', 'acme-brand', '--out', 'content')
    await work.run('pull', 'acme-brand@2', '--out', 'content', flag)
    expect((await pathsIn(join(work.root, 'content'))).includes('logos/old-mark.svg')).toBe(left)
  })

  test.each([[[]], [['brand']], [['brand', '--out', 'content', '--module', 'amd']], [['brand', '--out', '']]])(
    'are a usage error when they are wrong: %j',
    async (args) => {
      const { code, stdout, stderr } = await work.run('pull', ...args)
      expect([code, stdout]).toEqual([2, ''])
      expect(stderr).toMatch(/^error: /)
    },
  )

  test("fail with the most similar existing name if they don't match anything", async () => {
    const { code, stderr } = await work.run('pull', 'acme-brand', '--out', 'content', '--asset', 'bagde')
    expect(code).toBe(1)
    expect(stderr).toContain('Did you mean badge')
  })
})

describe('where no project is', () => {
  test('leaves a lockfile in the working directory only if it has a package.json', async () => {
    const from = ['--space', service.url, '--space-id', String(service.spaceId), '--token', service.token]
    await rm(join(work.root, 'content-space.lock.json'), { force: true })
    expect(await work.run('pull', 'acme-brand', '--out', 'alone', ...from)).toMatchObject({ code: 0 })
    expect(await readdir(work.root)).not.toContain('content-space.lock.json')
    expect(await work.run('pull', 'acme-brand', '--out', 'alone', ...from)).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('nothing has changed'),
    })
    await work.write({ 'package.json': '{}' })
    expect(await work.run('pull', 'acme-brand', '--out', 'alone', ...from)).toMatchObject({ code: 0 })
    expect(await readdir(work.root)).toContain('content-space.lock.json')
  })
})

describe('bad files', () => {
  const page = '<!doctype html><html><body>Log in</body></html>'
  const good = '<svg xmlns="http://www.w3.org/2000/svg" width="8" height="8"><path d="M0 0h8v8z"/></svg>'

  test('are all reported at once without writing anything, and can be omitted', async () => {
    const bad = await writeSpace({
      'kit/logos/bad-one.svg': page,
      'kit/logos/bad-two.png': 'a text',
      'kit/logos/bad-three.svg': page,
      'kit/logos/good.svg': good,
    })
    const run = (...flags: string[]) => work.run('pull', 'kit', '--space', bad.folder, '--out', 'content', ...flags)
    const { code, stderr } = await run()
    expect(code).toBe(1)
    expect(stderr).toContain('3 files of kit kit cannot be used:')
    for (const name of ['Bad One', 'Bad Two', 'Bad Three']) expect(stderr).toContain(`  ${name} is listed as`)
    expect(stderr).toContain('--exclude bad-one bad-three bad-two')
    expect(await pathsIn(join(work.root, 'content'))).toEqual([])
    const icons = await work.run('pull', 'kit', '--space', bad.folder, '--out', 'icons.json', '--module', 'iconify')
    expect(icons.stderr).toContain('2 files of kit kit cannot be used:')
    expect((await run('--exclude', 'bad-one', 'bad-three', '--exclude', 'bad-two')).code).toBe(0)
    const written = await pathsIn(join(work.root, 'content/logos'))
    expect(written).toEqual(['good.d.ts', 'good.js', 'good.svg'])
    expect((await run('--exclude', 'goof')).stderr).toContain('good')
    await bad.remove()
  })

  test.each([
    { form: 'folders', flags: ['--out', 'several'], written: ['two/logos/good.svg', 'three/logos/good.svg'] },
    {
      form: 'icon sets',
      flags: ['--out', 'icons', '--module', 'iconify'],
      written: ['two.json', 'three.json'],
    },
  ])('of several kits are named at once, and can be left out: $form', async ({ flags, written }) => {
    const bad = await writeSpace({
      'one/logos/bad-one.svg': page,
      'one/logos/good.svg': good,
      'one/logos/bad-one.json': { short_id: 'Ba1oNe' },
      'two/logos/bad-two.svg': page,
      'two/logos/good.svg': good,
      'three/logos/good.svg': good,
    })
    const run = (...more: string[]) => work.run('pull', 'one', 'two', 'three', '--space', bad.folder, ...flags, ...more)
    const { code, stderr } = await run()
    expect(code).toBe(1)
    expect(stderr).toContain('2 files of the kits one, two cannot be used:')
    expect(stderr).toContain('one: Bad One is listed as')
    expect(stderr).toContain('two: Bad Two is listed as')
    expect(stderr).toContain('--exclude bad-one bad-two')
    expect(await run('--exclude', 'Bad-One-Ba1oNe', 'bad-two')).toMatchObject({ code: 0 })
    expect(await pathsIn(join(work.root, flags[1] ?? ''))).toEqual(expect.arrayContaining(written))
    expect((await run('--exclude', 'goof')).stderr).toContain('good')
    await bad.remove()
  })
})
