import { readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import sharp from 'sharp'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { project, type Project } from '../support/cli.js'
import { commitAll } from '../support/git.js'
import { serveSpace, svg, writeSpace, type Files, type ServedSpace, type SpaceFolder } from '../support/space.js'

const kit = '3BD9A8C0-1111-4222-8333-444455556666'
const asset = (number: number): string => `237C41F2-AAAA-4BBB-8CCC-00000000000${number}`
const section = '237C41F2-AAAA-4BBB-8CCC-0000000000D0'
const date = (day: number): string => `2024-01-0${day} 00:00:00.000000+0000`

/** A kit with two versions. The second one lacks an asset of the first. */
const upstream: Files = {
  'space.json': { space_id: 7 },
  'brand/kit.json': {
    uuid: kit,
    name: 'Brand',
    use_version: 1,
    date_updated: date(1),
    versions: [
      { version: 1, version_identifier: '1.0', folder: 'versions/1', date_updated: date(1) },
      { version: 2, version_identifier: '1.1', folder: 'versions/2', date_updated: date(2) },
    ],
  },
  ...version('brand/versions/1', ['Acme Logo', 'Hero Photo', 'Old Badge']),
  ...version('brand/versions/2', ['Corp Logo', 'Hero Photo']),
  ...version('brand', ['Corp Logo', 'Hero Photo']),
}

function version(folder: string, names: string[]): Files {
  const files = names.map((name, index): [string, string | object][] => [
    [`${folder}/01 Logos/asset-${index}.svg`, svg(`asset ${index}`)],
    [`${folder}/01 Logos/asset-${index}.json`, { uuid: asset(index), name }],
  ])
  return { [`${folder}/01 Logos/section.json`]: { uuid: section }, ...Object.fromEntries(files.flat()) }
}

let space: SpaceFolder
let service: ServedSpace
let work: Project

beforeAll(async () => {
  space = await writeSpace(upstream)
})
afterAll(() => space.remove())

beforeEach(async () => {
  await space.write(upstream)
  service = await serveSpace(space.folder)
  work = await project(
    { 'src/main.ts': `import { acmeLogo } from 'content-space:kit/brand'\nexport default acmeLogo\n` },
    service.env,
  )
  return async () => {
    await service.close()
    await work.remove()
  }
})

const read = (file: string): Promise<string> => readFile(join(work.root, file), 'utf8')
const use = (number: number): Promise<void> => {
  const json = upstream['brand/kit.json']
  return space.write({
    'brand/kit.json': { ...(typeof json === 'object' ? json : {}), use_version: number, date_updated: date(number) },
  })
}

describe('content-space sync', () => {
  test('fetches the imported assets, and writes the lock and the declarations', async () => {
    const { code, stdout, stderr } = await work.run('sync')
    expect([code, stderr]).toEqual([0, ''])
    expect(stdout).toContain('wrote content-space.lock.json, src/content-space.d.ts')
    expect(service.downloads()).toHaveLength(1)
    const lock: unknown = JSON.parse(await read('content-space.lock.json'))
    expect(lock).toMatchObject({
      lockfileVersion: 2,
      space: '7',
      kits: { [kit]: { slug: 'brand', use: 1, versions: { 1: { label: '1.0' } } } },
    })
    // It contains the asset and its position, but nothing about other assets.
    const text = await read('content-space.lock.json')
    expect(text.match(/^.*"name":"acmeLogo".*$/gm)).toEqual([
      expect.stringMatching(/"slug":"acme-logo",.*"file_hash":"[0-9a-f]+".*"files":\{"original":"sha256-/),
    ])
    expect(text).not.toContain(asset(1))
    expect(text.length).toBeLessThan(2000)
    expect(await read('src/content-space.d.ts')).toContain(`declare module 'content-space:kit/brand'`)
  })

  test("doesn't write anything or send requests the second time", async () => {
    const uuids = [`content-space:section/${section}`, `content-space:asset/${asset(1)}`]
    await work.write({ 'src/b.ts': uuids.map((id) => `import type {} from '${id}'`).join('\n') })
    await work.run('sync')
    const before = await Promise.all(
      ['content-space.lock.json', 'src/content-space.d.ts'].map((file) => stat(join(work.root, file))),
    )
    service.requests.length = 0
    const { stdout } = await work.run('sync', '--json')
    expect(JSON.parse(stdout)).toEqual({
      specifiers: 3,
      files: 1,
      refusals: [],
      versions: [],
      written: [],
      warnings: [],
    })
    expect(service.requests).toEqual([])
    const after = await Promise.all(
      ['content-space.lock.json', 'src/content-space.d.ts'].map((file) => stat(join(work.root, file))),
    )
    expect(after.map(({ ino, mtimeMs }) => [ino, mtimeMs])).toEqual(before.map(({ ino, mtimeMs }) => [ino, mtimeMs]))
  })

  test('notices an edit of a draft without dates', async () => {
    await space.write({ 'plain/Icons/arrow.svg': svg('arrow') })
    await work.write({ 'src/main.ts': `import { arrow } from 'content-space:kit/plain@draft'\nexport default arrow\n` })
    await work.run('sync')
    service.requests.length = 0
    await work.run('sync')
    expect(service.requests.map(({ route }) => route)).toEqual(['kit', 'outline', 'section'])
    await space.write({ 'plain/Icons/pointer.svg': svg('pointer') })
    await work.run('sync')
    expect(await read('src/content-space.d.ts')).toContain('export const pointer: ')
    await rm(join(space.folder, 'plain'), { recursive: true })
  })

  test('lists and declares everything that the space rejects, and fails', async () => {
    await work.write({
      'src/b.ts': `import 'content-space:asset/brand/acme-lgo'\nimport x from 'content-space:asset/brand/acme-logo?cut=tiff'\nimport 'content-space:kit/brnd'\nexport const load = (name) => import('content-space:asset/brand/' + name)\n`,
    })
    const { code, stderr } = await work.run('sync')
    expect(code).toBe(1)
    expect(stderr).toMatch(/^error\[invalidId\]: /)
    expect(stderr).toContain('src/b.ts:1:35: content-space:asset/brand/acme-lgo')
    expect(stderr).toContain('Did you mean acme-logo')
    expect(stderr).toContain('error[fileCutUnavailable]: Acme Logo (SVG) has no TIFF cut.')
    expect(stderr).toContain('src/b.ts:3:27: content-space:kit/brnd')
    expect(stderr).toContain('src/b.ts:4:39: content-space:asset/brand/${…}')
    expect(stderr).toContain(`import assets from 'content-space:kit/brand?lazy'`)
    expect(await read('src/content-space.d.ts')).toMatch(
      /declare module 'content-space:kit\/brnd' \{\n\s+const \$default: \{ readonly error: '/,
    )
  })

  test('rejects what a build rejects: an id that remains plain text, the text of a picture, and a file too large to be inline', async () => {
    const picture = await sharp({ create: { width: 4, height: 4, channels: 3, background: '#2a6' } })
      .png()
      .toBuffer()
    await writeFile(join(space.folder, 'brand/versions/1/01 Logos/photo.png'), picture)
    const large = join(space.folder, 'brand/versions/1/01 Logos/large.png')
    await writeFile(large, Buffer.concat([picture, Buffer.alloc(33 * 1024 * 1024)]))
    await work.write({
      'src/a.tsx': `export const a = () => <img src="content-space:asset/brand/acme-logo?w=8" />\n`,
      'src/b.vue': `<template>\n  <img src="content-space:asset/brand/acme-logo">\n</template>\n`,
      'src/c.tsx': `export const c = () => <img src="content-space:asst/brand/acme-logo" srcSet="content-space:asset/" />\n`,
      'src/d.ts': `import photo from 'content-space:asset/brand/photo?raw'\nexport default photo\n`,
      'src/e.ts': `import large from 'content-space:asset/brand/large?inline'\nexport default large\n`,
    })
    const runs = [await work.run('sync'), await work.run('verify')]
    await rm(join(space.folder, 'brand/versions/1/01 Logos/photo.png'))
    await rm(large)
    for (const { code, stderr } of runs) {
      expect(code).toBe(1)
      for (const place of ['a.tsx:1:34', 'b.vue:2:13', 'c.tsx:1:34', 'd.ts:1:20', 'e.ts:1:20'])
        expect(stderr).toContain(`src/${place}`)
      expect(stderr).toContain(
        "import acmeLogo from 'content-space:asset/brand/acme-logo?w=8', and src={acmeLogo.src}.",
      )
      expect(stderr).toMatch(/Vue template[^]*:src="acmeLogo\.src"/)
      expect(stderr).toContain('Did you mean content-space:asset')
      expect(stderr).toContain('Photo (png) is not UTF-8 text. Import it with as=inline')
      expect(stderr).toContain('is too large to be part of a module')
    }
  })

  test('requests a cut only for the assets that are imported by name, like a build', async () => {
    await space.write({ 'brand/versions/1/01 Logos/notes.eps': '%!PS-Adobe-3.0 EPSF-3.0\n' })
    await work.write({
      'src/main.ts': `import { acmeLogo } from 'content-space:kit/brand?cut=png'\nexport default acmeLogo\n`,
    })
    expect(await work.run('sync')).toMatchObject({ code: 0, stderr: '' })
    expect(await read('src/content-space.d.ts')).toMatch(
      /export const notes: \{ readonly error: 'Notes \(EPS\) has no PNG cut/,
    )
    await work.write({
      'src/main.ts': `import { acmeLogo, notes } from 'content-space:kit/brand?cut=png'\nexport default [acmeLogo, notes]\n`,
    })
    expect((await work.run('sync')).stderr).toMatch(
      /^error\[fileCutUnavailable\]: Notes \(EPS\) has no PNG cut.*\n {2}src\/main\.ts:1:34: content-space:kit\/brand\?cut=png$/m,
    )
    await work.write({ 'src/main.ts': `export { default } from 'content-space:kit/brand?cut=png'\n` })
    expect(await work.run('sync')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('src/main.ts:1:26: content-space:kit/brand?cut=png\n'),
    })
    await rm(join(space.folder, 'brand/versions/1/01 Logos/notes.eps'))
  })

  test('lists the names that a kit does not export, with the nearest existing name', async () => {
    await work.write({
      'src/b.ts': `import { acmeLgo, heroPhoto } from 'content-space:kit/brand'\nimport { src } from 'content-space:asset/brand/acme-logo'\nexport { acmeLgo, heroPhoto, src }\n`,
    })
    const { code, stdout } = await work.run('sync', '--json')
    expect(code).toBe(1)
    expect(JSON.parse(stdout)).toMatchObject({
      refusals: [
        {
          specifier: 'content-space:asset/brand/acme-logo',
          code: 'unknownExport',
          reason: 'The module has no export src, only a default export. Import its default.',
          uses: [{ file: 'src/b.ts', line: 2, column: 10 }],
        },
        {
          specifier: 'content-space:kit/brand',
          reason: expect.stringContaining('does not export acmeLgo. Did you mean acmeLogo'),
          uses: [{ file: 'src/b.ts', line: 1, column: 10 }],
        },
      ],
    })
  })

  test.each([
    ['no service', ['--space', 'http://127.0.0.1:1'], 'is unreachable'],
    ['a wrong token', ['--token', 'wrong'], 'token'],
  ])("doesn't write anything with %s", async (_, flags, said) => {
    const { code, stderr } = await work.run('sync', ...flags)
    expect([code, stderr.includes(said)]).toEqual([1, true])
    expect((await readdir(work.root)).filter((name) => !name.startsWith('.'))).toEqual(['src'])
    expect(await readdir(join(work.root, 'src'))).toEqual(['main.ts'])
  })

  test('prints one JSON document, including the refusals', async () => {
    await work.write({ 'src/b.ts': `import 'content-space:kit/brnd'` })
    const { code, stdout, stderr } = await work.run('sync', '--json')
    expect([code, stderr]).toEqual([1, ''])
    expect(JSON.parse(stdout)).toMatchObject({
      refusals: [{ specifier: 'content-space:kit/brnd', uses: [{ file: 'src/b.ts', line: 1, column: 27 }] }],
    })
  })

  test('works offline when the cache is complete, and otherwise lists everything that is missing', async () => {
    await work.run('sync')
    await service.close()
    expect(await work.run('sync', '--offline')).toMatchObject({ code: 0 })
    await work.write({
      'src/b.ts': `import { heroPhoto, acmeLogo } from 'content-space:kit/brand'\nimport 'content-space:kit/brand@2'\n`,
    })
    const { code, stderr } = await work.run('sync', '--offline')
    expect(code).toBe(1)
    expect(stderr).toContain(`Version 2 of kit ${kit} is not in the cache`)
    expect(stderr).toContain('Hero Photo is not in the cache')
    // A folder is read without any connections.
    const folder = ['--space', space.folder, '--cache-dir', 'empty']
    expect(await work.run('sync', '--offline', ...folder)).toMatchObject({ code: 0 })
  })
})

describe('content-space update', () => {
  test('moves the pinned version, keeps renamed imports, and names the last version of a removed asset', async () => {
    await work.write({
      'src/b.ts': `import { oldBadge } from 'content-space:kit/brand'\nimport 'content-space:asset/brand/old-badge'\n`,
    })
    expect(await work.run('sync')).toMatchObject({ code: 0 })
    await use(2)
    expect((await work.run('sync', '--json')).stdout).toContain('"versions":[]')

    const updated = await work.run('update')
    expect(updated.code).toBe(0)
    expect(updated.stdout).toContain('brand@use: version 2 (1.1), was version 1 (1.0)')
    expect(updated.stderr).toContain('it was last in version 1 (1.0, 2024-01-01)')
    expect(updated.stdout).toMatch(/^\d+ ids? in the source, \d+ files?\nwrote content-space/m)
    expect(updated.stderr).toContain('import it from that version: content-space:kit/brand@1\n')
    const types = await read('src/content-space.d.ts')
    expect(types).toContain('/** @deprecated Renamed: import corpLogo. */ export const acmeLogo: typeof corpLogo')
    expect(await read('content-space.lock.json')).toContain(
      '"name":"corpLogo","slug":"corp-logo","aliases":[{"name":"acmeLogo","slug":"acme-logo"}]',
    )
    expect(await read('content-space.lock.json')).toMatch(
      /"name":"oldBadge".*"lastSeen":\{"version":1,"versionIdentifier":"1.0"/,
    )
    expect(await work.run('sync')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('oldBadge is no longer in kit Brand (version 2)'),
    })
  })

  test('reports the change of each asset, and the lines that break', async () => {
    await work.write({ 'src/b.ts': `import { oldBadge } from 'content-space:kit/brand'\n` })
    await work.run('sync')
    await use(2)
    service.requests.length = 0
    const { stdout } = await work.run('update', '--json')
    expect(JSON.parse(stdout).changes).toMatchObject({
      added: [],
      removed: [
        {
          uuid: asset(2),
          name: 'Old Badge',
          export: 'oldBadge',
          kit: 'brand',
          breaks: [{ file: 'src/b.ts', line: 1 }],
        },
      ],
      renamed: [{ name: 'Corp Logo', export: 'corpLogo', from: { name: 'Acme Logo', export: 'acmeLogo' }, breaks: [] }],
      changed: [],
    })
    // The outline of the old version is in the cache.
    expect(service.requests.filter(({ route }) => route === 'outline')).toHaveLength(1)
    const again = await work.run('update')
    expect(again.stdout).not.toContain('renamed')

    await use(1)
    const back = await work.run('update', 'brand', '--rename')
    expect(back.stdout).toMatch(
      /^brand@use: version 1 \(1\.0\), was version 2 \(1\.1\)\nbrand: version 2 \(1\.1\) → version 1 \(1\.0\)\n {2}renamed {2}Corp Logo → Acme Logo .*\n {2}added {4}Old Badge/,
    )
  })

  test('--rename drops the old names, and shows what it would write into the source', async () => {
    await work.run('sync')
    await use(2)
    const source = await read('src/main.ts')
    const { code, stdout, stderr } = await work.run('update', 'brand', '--rename')
    expect([code, stderr]).toEqual([
      0,
      expect.stringContaining(
        'error[unknownExport]: Kit Brand (version 2) does not export acmeLogo. It is now called corpLogo.',
      ),
    ])
    // The declarations of a later run contain the same error.
    expect((await work.run('verify')).stdout).not.toContain('out of date')
    expect(stdout).toContain(
      "src/main.ts:1\n  - import { acmeLogo } from 'content-space:kit/brand'\n  + import { corpLogo } from 'content-space:kit/brand'\n",
    )
    expect(stdout).toContain('content-space update --rename --write')
    expect(await read('src/main.ts')).toBe(source)
    expect(await read('content-space.lock.json')).toMatch(
      /"name":"corpLogo","slug":"corp-logo","former":\["acme-logo","acmeLogo"\]/,
    )
    // A later build can learn the old name only from the lockfile.
    expect((await work.run('sync')).stderr).toContain('It is now called corpLogo.')
    await work.write({ 'src/asset.ts': "import logo from 'content-space:asset/brand/acme-logo?w=9'\nlogo" })
    expect((await work.run('sync')).stderr).toContain('It is now called corp-logo.')

    commitAll(work.root)
    const written = await work.run('update', '--rename', '--write')
    expect([written.code, written.stderr]).toEqual([0, ''])
    expect(await read('src/main.ts')).toBe(source.replaceAll('acmeLogo', 'corpLogo'))
    expect(await read('src/asset.ts')).toBe("import logo from 'content-space:asset/brand/corp-logo?w=9'\nlogo")
    expect(await work.run('verify')).toMatchObject({ code: 0, stderr: '' })
  })

  test('--rename keeps the names of a version that the source pins, and a removed asset names that version', async () => {
    const pinned = `import { acmeLogo, oldBadge } from 'content-space:kit/brand@1'
import logo from 'content-space:asset/brand@1/acme-logo'
export default [acmeLogo, oldBadge, logo]
`
    await work.write({ 'src/pinned.ts': pinned })
    await work.run('sync')
    await use(2)
    commitAll(work.root)
    expect(await work.run('update', '--rename', '--write')).toMatchObject({ code: 0, stderr: '' })
    expect(await read('src/main.ts')).toContain('corpLogo')
    expect(await read('src/pinned.ts')).toBe(pinned)
    expect(await work.run('sync')).toMatchObject({ code: 0, stderr: '' })
    await work.write({ 'src/b.ts': "import { oldBadge } from 'content-space:kit/brand'\n" })
    expect((await work.run('sync')).stderr).toContain('it was last in version 1 (1.0, 2024-01-01)')
  })

  test('--rename keeps the last version of an asset that it removes, or that was removed before', async () => {
    await work.write({ 'src/b.ts': "import { oldBadge } from 'content-space:kit/brand'\n" })
    await work.run('sync')
    await use(2)
    for (const _ of ['removes', 'removed before']) {
      commitAll(work.root)
      expect(await work.run('update', '--rename', '--write')).toMatchObject({ code: 0 })
      expect((await work.run('sync')).stderr).toContain('it was last in version 1 (1.0, 2024-01-01)')
    }
    await work.write({ 'src/b.ts': '' })
    expect(await work.run('verify')).toMatchObject({ code: 0, stderr: '' })
    const source =
      "import { OldBadge } from 'content-space:kit/brand?as=react'\nimport 'content-space:asset/brand/old-badge'\n"
    await work.write({ 'src/b.ts': source })
    commitAll(work.root)
    expect((await work.run('update', '--rename', '--write')).stdout).not.toContain('of the source')
    expect(await read('src/b.ts')).toBe(source)
  })

  test('takes no version', async () => {
    expect(await work.run('update', 'brand@2')).toEqual({
      code: 2,
      stdout: '',
      stderr: 'error: update does not take a version: it locks the version in use. Write brand.\n',
    })
  })

  test('--write needs --rename', async () => {
    const { code, stderr } = await work.run('update', '--write')
    expect([code, stderr]).toEqual([2, expect.stringContaining('--rename')])
  })

  test('drops kits that the source does not import', async () => {
    await work.run('sync')
    await work.write({ 'src/main.ts': '' })
    await use(2)
    expect(await work.run('update', 'brand')).toMatchObject({ code: 0 })
    expect(await read('content-space.lock.json')).not.toContain(kit)
  })

  test('lists the existing kits', async () => {
    await work.run('sync')
    const { code, stderr } = await work.run('update', 'brnd')
    expect([code, stderr]).toEqual([1, expect.stringContaining('Did you mean brand?')])
  })
})

describe('content-space verify', () => {
  test('accepts the files that sync wrote', async () => {
    await work.run('sync')
    expect(await work.run('verify')).toMatchObject({ code: 0, stderr: '' })
  })

  test('checks what it can while the service is unreachable, and says what it did not check', async () => {
    await work.run('sync')
    await service.close()
    for (const flags of [[], ['--offline']])
      expect(await work.run('verify', ...flags)).toEqual({
        code: 0,
        stdout: 'The lockfile, the declarations and the cache are up to date.\n',
        stderr: expect.stringMatching(/^note: Without the service, locked versions were not checked/),
      })
    expect(JSON.parse((await work.run('verify', '--json')).stdout)).toEqual({
      warnings: [],
      ok: true,
      differences: [],
      unchecked: expect.stringContaining('Without the service'),
    })
    await work.write({ 'src/b.ts': `import { acmeLgo } from 'content-space:kit/brand'\n` })
    expect(await work.run('verify')).toMatchObject({ code: 1, stderr: expect.stringContaining('acmeLgo') })
  }, 60_000)

  test("fails without a lockfile and doesn't write one", async () => {
    const { code, stderr } = await work.run('verify')
    expect([code, stderr]).toEqual([
      1,
      expect.stringMatching(/kit brand[^]*is not in the lockfile[^]*content-space sync/),
    ])
    expect(await readdir(work.root)).not.toContain('content-space.lock.json')
  })

  test('rejects a drawing of several colors in the color of the text, as sync and builds do', async () => {
    const drawing = svg('two').replace('<path', '<path fill="#f00" d="M0 0h1v1z"/><path fill="#00f"')
    const logos = 'brand/versions/1/01 Logos'
    await space.write({ [`${logos}/asset-0.svg`]: drawing, [`${logos}/asset-1.svg`]: drawing })
    await work.write({ 'src/b.ts': `import { AcmeLogo } from 'content-space:kit/brand?as=react'\n` })
    expect(await work.run('sync')).toMatchObject({ code: 0 })
    expect(await work.run('verify')).toMatchObject({ code: 0 })
    await work.write({
      'src/b.ts': `import { AcmeLogo } from 'content-space:kit/brand?as=react&currentcolor'\n`,
      'src/c.ts': `import logo from 'content-space:asset/brand/acme-logo?raw&currentcolor'\n`,
      'src/d.ts': `import 'content-space:asset/brand/nope'\nimport brand from 'content-space:kit/brand?as=vue&currentcolor'\n`,
    })
    const problem = /Acme Logo has several colors, so it cannot take the color of the text: #f00, #00f\./
    const synced = await work.run('sync')
    expect([synced.code, synced.stderr]).toEqual([1, expect.stringMatching(problem)])
    const verified = await work.run('verify')
    expect([verified.code, verified.stderr]).toEqual([1, expect.stringMatching(problem)])
    for (const place of ['src/b.ts:1', 'src/c.ts:1']) {
      expect(synced.stderr).toMatch(new RegExp(`Remove currentcolor from the query\\.[^]*${place}:`))
      expect(verified.stderr).toMatch(new RegExp(`\\(${place}:\\d+\\): Acme Logo has several colors`))
    }
    expect(synced.stderr).toMatch(
      /no asset nope[^]*src\/d\.ts:1:[^]*2 assets cannot take the color of[^]*src\/d\.ts:2:/,
    )
    const declared = await read('src/content-space.d.ts')
    expect(declared).toMatch(
      /raw&currentcolor' \{\n +const \$default: \{ readonly error: 'Acme Logo has several colors/,
    )
    expect(declared).toMatch(/AcmeLogo: \{ readonly error: 'Acme Logo has several colors/)
    expect(declared).toMatch(/vue&currentcolor' \{\n +const \$default: \{ readonly error: '2 assets cannot take/)
  })

  test('lists every difference, without writing anything', async () => {
    await work.run('sync')
    const files = await Promise.all(['content-space.lock.json', 'src/content-space.d.ts'].map(read))
    await work.write({ 'src/b.ts': `import 'content-space:kit/brand@draft'\nimport 'content-space:kit/other'\n` })
    const { code, stdout } = await work.run('verify', '--json')
    expect(code).toBe(1)
    expect(JSON.parse(stdout)).toEqual({
      warnings: [],
      ok: false,
      differences: [
        expect.stringContaining('content-space:kit/other (src/b.ts:2:27): There is no kit other'),
        'kit brand: version draft is not in the lockfile',
        'src/content-space.d.ts is out of date',
      ],
    })
    expect(await Promise.all(['content-space.lock.json', 'src/content-space.d.ts'].map(read))).toEqual(files)
  })
})

test.each([true, false])('verify names the update of a version with other content, warm: %s', async (warm) => {
  await work.run('sync')
  await space.write({ 'brand/versions/1/01 Logos/asset-0.svg': svg('other') })
  if (!warm) await rm(join(work.root, '.cache'), { recursive: true })
  const verified = await work.run('verify')
  expect([verified.code, verified.stderr]).toEqual([
    1,
    expect.stringMatching(
      /kit brand \(version 1 \(1\.0\)\) has changed in the service: asset acme-logo: .*file_hash[^]*To accept it, run `npx content-space update brand`/,
    ),
  ])
  expect((await work.run('diff')).stdout).toContain('Acme Logo')
  await work.run('update', 'brand')
  expect(await work.run('verify')).toMatchObject({ code: 0 })
})

test.each(['folder', 'service'])('diff shows a version with other content beside a draft, of a %s', async (where) => {
  const { env } = service
  const own = await project(
    { 'main.ts': `import kit from 'content-space:kit/brand'\nimport 'content-space:kit/brand@draft'\nkit\n` },
    where === 'folder' ? { CONTENT_SPACE_URL: space.folder } : env,
  )
  try {
    expect((await own.run('sync')).stdout).toMatch(/^brand@draft: draft$/m)
    expect((await own.run('diff')).stdout).toBe('no differences\n')
    await space.write({
      'brand/versions/1/01 Logos/asset-0.svg': svg('other'),
      'brand/versions/1/01 Logos/added.svg': svg('added'),
    })
    await rm(join(own.root, '.cache'), { recursive: true, force: true })
    expect(await own.run('verify')).toMatchObject({ code: 1 })
    expect((await own.run('diff')).stdout).toMatch(/^brand: version 1 \(1\.0\) → now\n[^]*added/)
  } finally {
    await rm(join(space.folder, 'brand/versions/1/01 Logos/added.svg'), { force: true })
    await own.remove()
  }
})

test.each(['use', 'number'])('a version that is gone names the update of what follows it: %s', async (named) => {
  const imported = named === 'use' ? 'brand' : 'brand@1'
  const own = await project(
    { 'main.ts': `import 'content-space:kit/${imported}'\n` },
    { CONTENT_SPACE_URL: space.folder },
  )
  const path = join(space.folder, 'brand/kit.json')
  const before = await readFile(path, 'utf8')
  try {
    await own.run('sync')
    const kitFile = JSON.parse(before)
    await writeFile(path, JSON.stringify({ ...kitFile, use_version: 2, versions: kitFile.versions.slice(1) }))
    const { code, stderr } = await own.run('sync')
    const next = named === 'use' ? ' To lock it, run `npx content-space update brand`.' : ''
    expect([code, stderr]).toEqual([1, expect.stringContaining(`Version 2 is in use.${next}\n`)])
    expect(await own.run('update')).toMatchObject({ code: 0 })
    expect(await own.run('sync')).toMatchObject({ code: named === 'use' ? 0 : 1 })
  } finally {
    await writeFile(path, before)
    await own.remove()
  }
})

test('declarations from before there was src are named', async () => {
  const own = await project({ 'main.ts': `import 'content-space:kit/brand'\n` }, service.env)
  try {
    expect((await own.run('sync')).stderr).not.toContain('Remove it')
    await own.write({ 'src/a.ts': '' })
    expect((await own.run('sync')).stderr).toMatch(/content-space\.d\.ts was written before src existed.*Remove it\./)
    await rm(join(own.root, 'content-space.d.ts'))
    expect((await own.run('sync')).stderr).not.toContain('Remove it')
  } finally {
    await own.remove()
  }
})

test('one reason for several imports is printed once', async () => {
  const imports = ['kit/brnad', 'asset/brnad/acme-logo', 'asset/brand/nothing']
  await work.write({ 'src/main.ts': imports.map((id) => `import 'content-space:${id}'\n`).join('') })
  const { code, stderr } = await work.run('sync')
  expect(code).toBe(1)
  expect(stderr.match(/There is no kit brnad/g)).toHaveLength(1)
  for (const id of imports) expect(stderr).toContain(`: content-space:${id}\n`)
})

test("declarations don't reveal where the space's folder is", async () => {
  await work.write({ 'src/main.ts': `import 'content-space:kit/brnad'\n` })
  expect((await work.run('sync', '--space', space.folder)).stderr).toContain('There is no kit brnad in the folder')
  expect(await read('src/content-space.d.ts')).not.toContain(dirname(space.folder))
})

test('an asset that is gone from a version is not said to be in it', async () => {
  await work.write({ 'src/main.ts': `import { oldBadge } from 'content-space:kit/brand'\nexport default oldBadge\n` })
  const ofFolder = ['sync', '--space', space.folder]
  await work.run(...ofFolder)
  for (const ending of ['svg', 'json']) await rm(join(space.folder, `brand/versions/1/01 Logos/asset-2.${ending}`))
  expect(await work.run('verify', '--space', space.folder)).toMatchObject({ code: 1 })
  const { stderr } = await work.run('update', '--space', space.folder)
  expect(stderr).toContain('oldBadge is no longer in kit Brand (version 1).')
  expect(stderr).not.toContain('import it from that version')
})

describe('frozen', () => {
  test('lists the differences of every kit, without writing anything', async () => {
    const other = '3BD9A8C0-1111-4222-8333-4444555566AA'
    const named = (name: string, day: number) => ({
      'other/kit.json': { uuid: other, name: 'Other', date_updated: date(day) },
      'other/Icons/a.svg': svg('a'),
      'other/Icons/a.json': { uuid: asset(9), name },
    })
    await space.write(named('Arrow', 1))
    await work.write({
      'src/main.ts': `import { acmeLogo } from 'content-space:kit/brand'\nimport { arrow } from 'content-space:kit/other'\nexport default [acmeLogo, arrow]\n`,
    })
    await work.run('sync')
    const before = await Promise.all(['content-space.lock.json', 'src/content-space.d.ts'].map(read))
    await space.write(named('Pointer', 2))
    await work.write({
      'src/b.ts': `import { heroPhoto } from 'content-space:kit/brand@2'\nexport default heroPhoto\n`,
    })
    const { code, stderr } = await work.run('sync', '--frozen')
    expect([code, stderr.split('\n').slice(1, 5)]).toEqual([
      1,
      [
        '  content-space:kit/brand@2 (src/b.ts:1): Kit Brand (version 2) is not in the lockfile, which is frozen.',
        '  kit other: asset arrow (arrow) is now called pointer (pointer)',
        'hint: Run `npx content-space sync`, or `npx content-space update` for new versions, and commit the changes.',
        '',
      ],
    ])
    expect(await Promise.all(['content-space.lock.json', 'src/content-space.d.ts'].map(read))).toEqual(before)
    await rm(join(space.folder, 'other'), { recursive: true })
  })

  test('rejects changes of the lock and lists each difference, without writing anything', async () => {
    await work.write({
      'src/main.ts': `import kit, { corpLogo } from 'content-space:kit/brand@draft'\nexport { kit, corpLogo }`,
    })
    await work.run('sync')
    const before = await read('content-space.lock.json')
    await space.write({
      'brand/kit.json': { uuid: kit, name: 'Brand', date_updated: date(5) },
      'brand/01 Logos/asset-0.json': { uuid: asset(0), name: 'Newest Logo' },
      'brand/01 Logos/extra.svg': svg('extra'),
    })
    const { code, stderr } = await work.run('sync', '--frozen')
    expect(code).toBe(1)
    expect(stderr).toContain('asset corpLogo (corp-logo) is now called newestLogo (newest-logo)')
    expect(stderr).toContain('asset extra (')
    expect(await read('content-space.lock.json')).toBe(before)
    await rm(join(space.folder, 'brand/01 Logos/extra.svg'))
  })
})

describe('content-space.lock.json and the declarations', () => {
  test('do not depend on the order of the answers or on earlier files', async () => {
    await work.write({
      'src/b.ts': `import { heroPhoto } from 'content-space:kit/brand@draft'\nimport 'content-space:section/brand/logos'\n`,
    })
    await work.run('sync')
    const files = await Promise.all(['content-space.lock.json', 'src/content-space.d.ts'].map(read))
    const slow = await serveSpace(space.folder, { latency: 30 })
    for (const name of await readdir(work.root))
      if (name !== 'src') await rm(join(work.root, name), { recursive: true })
    await work.run('sync', '--space', slow.url, '--token', slow.token)
    await slow.close()
    expect(await Promise.all(['content-space.lock.json', 'src/content-space.d.ts'].map(read))).toEqual(files)
  })
})
