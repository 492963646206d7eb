import { readdir, readFile, rm, stat } from 'node:fs/promises'
import { request } from 'node:http'
import { join } from 'node:path'
import sharp from 'sharp'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { project, type Project } from '../support/cli.js'
import { faultServer } from '../support/fault-server.js'
import { near, pixel } from '../support/pictures.js'
import { serveSpace, svg, writeSpace, type ServedSpace, type SpaceFolder } from '../support/space.js'
import { notedKit, versioned, versionedKit } from '../support/versions.js'

const source = [
  `import { acmeLogo, oldBadge } from 'content-space:kit/brand'`,
  `import icon from 'content-space:asset/brand/icon'`,
  `const { heroPhoto } = await import('content-space:kit/brand')`,
  `console.log(acmeLogo, oldBadge, icon, heroPhoto)`,
  `export { default as badge } from 'content-space:asset/brand/old-badge?w=24'`,
].join('\n')

let space: SpaceFolder
let service: ServedSpace
let work: Project

beforeAll(async () => {
  space = await writeSpace(await versionedKit())
})
afterAll(() => space.remove())

/** Opens a separate project for each test. It reads the folder itself or a service that serves it. */
async function open(where: 'folder' | 'service', env: Record<string, string> = {}): Promise<void> {
  await space.write(await versionedKit())
  service = await serveSpace(space.folder)
  const address = service.env
  work = await project(
    { 'src/main.js': source },
    { ...(where === 'folder' ? { CONTENT_SPACE_URL: space.folder } : address), ...env },
  )
}

async function close(): Promise<void> {
  await service.close()
  await work.remove()
}

const json = async (...args: string[]) => JSON.parse((await work.run('diff', ...args, '--json')).stdout)

describe.each(['folder', 'service'] as const)('content-space diff, of a %s', (where) => {
  beforeEach(async () => {
    await open(where)
    return close
  })

  test('without a lockfile names the kit as it was written', async () => {
    for (const kit of ['brand', 'brand@2']) {
      const { code, stderr } = await work.run('diff', kit)
      expect([code, stderr]).toEqual([1, expect.stringContaining('Kit brand is not in the lockfile.')])
    }
  })

  test('compares two versions as one document with exactly four lists', async () => {
    const diff = await json('brand', '--from', '1', '--to', '2')
    expect(Object.keys(diff)).toEqual(['added', 'removed', 'renamed', 'changed'])
    expect(diff).toMatchObject({
      added: [
        {
          uuid: versioned.poster,
          name: 'Poster',
          export: 'poster',
          kit: 'brand',
          versions: { from: 1, to: 2 },
          breaks: [],
        },
      ],
      removed: [{ uuid: versioned.badge, name: 'Old Badge', export: 'oldBadge' }],
      renamed: [
        {
          uuid: versioned.logo,
          name: 'Corp Logo',
          export: 'corpLogo',
          from: { name: 'Acme Logo', export: 'acmeLogo' },
        },
      ],
      changed: [
        {
          uuid: versioned.hero,
          name: 'Hero Photo',
          export: 'heroPhoto',
          from: { type: 'JPG', width: 640 },
          breaks: [],
        },
      ],
    })
    expect(Object.values<unknown[]>(diff).flat()).toHaveLength(4)
    expect(diff.removed[0].breaks).toEqual([
      { file: 'src/main.js', line: 1, specifier: 'content-space:kit/brand' },
      { file: 'src/main.js', line: 5, specifier: 'content-space:asset/brand/old-badge?w=24' },
    ])
    expect(diff.renamed[0].breaks).toEqual([{ file: 'src/main.js', line: 1, specifier: 'content-space:kit/brand' }])
  })

  test('lists no import that names a version, which it keeps', async () => {
    await work.write({ 'src/pinned.js': `import icon from 'content-space:asset/brand@1/old-badge'` })
    expect((await work.run('diff', 'brand', '--from', '1', '--to', '2')).stdout).not.toContain('src/pinned.js')
  })

  test('prints plain lines, with the lines of the source that would break', async () => {
    const { code, stdout, stderr } = await work.run('diff', versioned.kit.toLowerCase(), '--from', '1', '--to', '2')
    expect([code, stderr]).toEqual([0, ''])
    expect(stdout.split('\n')).toEqual([
      'brand: version 1 (1.0) → version 2 (2.0)',
      expect.stringMatching(/^ {2}removed {2}Old Badge {2}oldBadge {2}SVG, \d+ B$/),
      '    src/main.js:1  content-space:kit/brand',
      '    src/main.js:5  content-space:asset/brand/old-badge?w=24',
      expect.stringMatching(/^ {2}renamed {2}Acme Logo → Corp Logo {2}acmeLogo → corpLogo/),
      '    src/main.js:1  content-space:kit/brand',
      expect.stringMatching(/^ {2}changed {2}Hero Photo {2}heroPhoto {2}JPG, /),
      expect.stringMatching(/^ {2}added {4}Poster {2}poster {2}SVG/),
      '1 added, 1 removed, 1 renamed, 1 changed; 2 lines of the source would break',
      '',
    ])
  })

  test('reports a missing lock', async () => {
    expect(await work.run('diff')).toEqual({
      code: 0,
      stdout: 'no differences\n',
      stderr: 'There is no lockfile to compare with. Run `npx content-space sync`, or specify a kit and --from.\n',
    })
  })

  test('exits with 1 for a difference only with --exit-code', async () => {
    expect((await work.run('diff', 'brand', '--from', '1', '--to', '2', '--exit-code')).code).toBe(1)
    const same = await work.run('diff', 'brand', '--from', 'use', '--to', '1', '--exit-code')
    expect([same.code, same.stdout]).toEqual([0, 'no differences\n'])
    expect((await work.run('diff', 'brand', '--from', 'first')).code).toBe(2)
    expect(await work.run('diff', 'brand@1', '--to', '2')).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/^error: brand@1 .* --from\.\n$/),
    })
  })

  test('compares every kit of the lock with the current space, without writing anything', async () => {
    await work.run('sync')
    expect((await work.run('diff', '--exit-code')).stdout).toBe('no differences\n')
    const lock = join(work.root, 'content-space.lock.json')
    const before = [await readFile(lock, 'utf8'), (await stat(lock)).mtimeMs, await readdir(work.root)]
    await space.write(await versionedKit(2))
    const diff = await json('--frozen')
    expect(diff).toMatchObject({
      added: [{ name: 'Poster' }],
      removed: [{ name: 'Old Badge', breaks: [{ line: 1 }, { line: 5 }] }],
      // The lock keeps the old name working.
      renamed: [{ name: 'Corp Logo', from: { name: 'Acme Logo' }, breaks: [] }],
      changed: [{ name: 'Hero Photo' }],
    })
    expect(await json('brand')).toEqual(diff)
    expect([await readFile(lock, 'utf8'), (await stat(lock)).mtimeMs, await readdir(work.root)]).toEqual(before)
  })

  test('compares the draft in the lock with the current draft', async () => {
    // Only the version in use has the icon, and only the draft has the poster.
    await work.write({
      'src/draft.js': `import { corpLogo, poster } from 'content-space:kit/brand@draft'\nimport 'content-space:asset/${versioned.poster}'`,
    })
    await work.run('sync')
    expect(await json()).toEqual({ added: [], removed: [], renamed: [], changed: [] })
    const kit = (await versionedKit())['brand/kit.json']
    await space.write({
      'brand/kit.json': { ...(typeof kit === 'object' ? kit : {}), date_updated: '2024-02-01 00:00:00.000000+0000' },
      'brand/Logos/section.json': { items: ['old-badge.svg', 'corp-logo.svg'] },
      'brand/Logos/corp-logo.svg': svg('another', 120, 40),
    })
    await space.delete('brand/Logos/poster.svg', 'brand/Logos/poster.json')
    const diff = await json()
    expect(diff).toMatchObject({
      added: [],
      removed: [{ name: 'Poster', export: 'poster', versions: { from: 0, to: 0 } }],
      renamed: [],
      changed: [{ name: 'Corp Logo' }],
    })
    expect(diff.removed[0].breaks.map(({ line }: { line: number }) => line)).toEqual([1, 2])
    expect((await work.run('diff')).stdout).toContain('brand: draft → now')
  })

  test('shows the step to a version that differs in nothing, with its release notes', async () => {
    await space.write(await notedKit())
    await work.run('sync')
    await space.write(await notedKit(2))
    const updated = {
      uuid: versioned.kit,
      kit: 'brand',
      versions: {
        from: 1,
        to: 2,
        labels: { from: '1.0', to: '2.0' },
        releases: [{ version: 2, label: '2.0', notes: 'The icon\ncomes first.' }],
      },
    }
    const lists = { added: [], removed: [], renamed: [], changed: [] }
    const diff = { ...lists, kits: { added: [], removed: [], updated: [updated] } }
    expect(await json()).toEqual(diff)
    expect(await json('brand', '--from', '1', '--to', '2')).toEqual(diff)
    const { code, stdout } = await work.run('diff', '--exit-code')
    expect([code, stdout.split('\n')]).toEqual([
      1,
      [
        'brand: version 1 (1.0) → version 2 (2.0)',
        '  version 2 (2.0):',
        '    The icon',
        '    comes first.',
        'kits: 1 updated',
        '',
      ],
    ])
    expect((await work.run('diff', '--markdown')).stdout.split('\n')).toEqual([
      '**Content**: kits: 1 updated',
      '',
      '### brand\\: version 1 (1.0) → version 2 (2.0)',
      '',
      '> **version 2 (2.0)**\\',
      '> The icon\\',
      '> comes first.',
      '',
    ])
    const page = (await work.run('diff', '--html')).stdout
    expect(page).toContain('<p>kits: 1 updated</p>')
    expect(page).toContain('<aside><h3>version 2 (2.0)</h3><p>The icon</p>\n<p>comes first.</p></aside>')
    expect(JSON.parse((await work.run('update', '--json')).stdout).changes).toEqual(diff)
    expect((await work.run('diff', '--exit-code')).stdout).toBe('no differences\n')
  })

  test('suggests the nearest kit and the existing versions', async () => {
    const kit = await work.run('diff', 'brnd', '--from', '1')
    expect([kit.code, kit.stderr]).toEqual([1, expect.stringContaining('Did you mean brand')])
    const version = await work.run('diff', 'brand', '--from', '1', '--to', '9')
    expect([version.code, version.stderr]).toEqual([1, expect.stringContaining('Its versions are 0 (draft), 1, 2')])
    const unlocked = await work.run('diff', 'brand')
    expect([unlocked.code, unlocked.stderr]).toEqual([1, expect.stringContaining('content-space sync')])
  })
})

test('sends no request for a second comparison of the same two snapshots', async () => {
  await open('service')
  await json(versioned.kit, '--from', '1', '--to', '2')
  expect(service.downloads()).toEqual([])
  service.requests.length = 0
  await json(versioned.kit, '--from', '1', '--to', '2', '--offline')
  await json(versioned.kit, '--from', '1', '--to', '2')
  expect(service.requests).toEqual([])
  await close()
})

test('writes Markdown, or one HTML page with all pictures of a folder', async () => {
  await open('folder')
  const args = ['diff', 'brand', '--from', '1', '--to', '2']
  expect((await work.run(...args, '--markdown')).stdout).toContain(
    '| renamed | Acme Logo → Corp Logo | `acmeLogo` → `corpLogo` |',
  )
  const { stdout } = await work.run(...args, '--html', 'out/page.html')
  expect(stdout).toContain('1 added, 1 removed, 1 renamed, 1 changed')
  const page = await readFile(join(work.root, 'out/page.html'), 'utf8')
  expect((await work.run(...args, '--html')).stdout).toBe(page)
  expect((await work.run('diff', 'brand', '--from', '2', '--to', '1', '--html', 'out/page.html')).code).toBe(0)
  expect(await readFile(join(work.root, 'out/page.html'), 'utf8')).not.toBe(page)
  await work.write({ 'mine.html': '<h1>Mine</h1>' })
  const refused = await work.run(...args, '--html', 'mine.html')
  expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('was not written by content-space') })
  expect(await readFile(join(work.root, 'mine.html'), 'utf8')).toBe('<h1>Mine</h1>')
  const pictures = [...page.matchAll(/src="data:image\/webp;base64,([^"]+)"/g)].map(([, data = '']) =>
    Buffer.from(data, 'base64'),
  )
  expect(pictures).toHaveLength(6)
  const [dawn = pictures[0], dusk] = pictures.slice(3)
  expect(await sharp(dawn).metadata()).toMatchObject({ format: 'webp', width: 320, height: 200 })
  expect(near(await pixel(dawn ?? Buffer.of(), 9, 9), [0xe0, 0x7a, 0x3f])).toBe(true)
  expect(near(await pixel(dusk ?? Buffer.of(), 9, 9), [0x27, 0x46, 0x6b])).toBe(true)
  expect((await work.run(...args, '--html', 'page.html', '--json')).code).toBe(2)
  await close()
})

test('shows the old picture of a service while the cache has it, and otherwise reports it as unavailable', async () => {
  await open('service')
  await work.write({
    'src/main.js': `import { heroPhoto } from 'content-space:kit/brand@draft'\nconsole.log(heroPhoto)`,
  })
  await work.run('sync')
  const kit = (await versionedKit())['brand/kit.json']
  await space.write({
    'brand/kit.json': { ...(typeof kit === 'object' ? kit : {}), date_updated: '2024-02-01 00:00:00.000000+0000' },
    'brand/Logos/hero-photo.jpg': await sharp({ create: { width: 64, height: 40, channels: 3, background: '#0a0' } })
      .jpeg()
      .toBuffer(),
  })
  const kept = (await work.run('diff', '--html')).stdout
  expect(kept.match(/<img /g)).toHaveLength(2)
  await rm(join(work.root, '.cache'), { recursive: true })
  const gone = (await work.run('diff', '--html')).stdout
  expect(gone.match(/<img /g)).toHaveLength(1)
  expect(gone).toContain('<figure><p>the file is no longer available</p><figcaption>Before')
  // The service has the file of version 2, which the request names. The file of version 1 can only come from the cache.
  expect(await comparedPictures(work)).toEqual([
    [false, 0],
    [false, 1],
    [false, 2],
    [true, 1],
    [false, 1],
  ])
  // A service that doesn't version files no longer has a file that was replaced in the draft.
  const plain = await faultServer((response, { url = '', headers: { authorization = '' } }) => {
    request(service.url + url, { headers: { authorization } }, (answer) => {
      response.writeHead(answer.statusCode ?? 500, answer.headers)
      answer.pipe(response)
    }).end()
  })
  const other = await project({}, { ...service.env, CONTENT_SPACE_URL: plain.url })
  expect(await comparedPictures(other)).toEqual([
    [false, 0],
    [false, 1],
    [false, 2],
    [true, 0],
    [false, 1],
  ])
  await other.remove()
  await plain.close()
  await close()
})

/**
 * Returns for each section of the page about two versions whether it is about the photo, and how many pictures it has.
 */
async function comparedPictures(at: Project): Promise<[isPhoto: boolean, pictures: number][]> {
  const { stdout } = await at.run('diff', 'brand', '--from', '1', '--to', '2', '--html')
  return stdout
    .split('<article>')
    .map((article) => [article.includes('Hero Photo'), article.match(/<img /g)?.length ?? 0])
}
