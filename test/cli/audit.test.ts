import { execFileSync } from 'node:child_process'
import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import type { ServedRequest } from '../../src/commands/serve/server.js'
import { project, type Project } from '../support/cli.js'
import { drawing, logo, retired, star } from '../support/drawings.js'
import { serveSpace, writeSpace, type ServedSpace, type SpaceFolder } from '../support/space.js'

const oldLogo = drawing('M2 2h8v20H2zM14 2h8v9h-8z')

let space: SpaceFolder
let service: ServedSpace
let work: Project

beforeAll(async () => {
  space = await writeSpace({
    'brand/kit.json': {
      uuid: '3BD9A8C0-1111-4222-8333-444455556666',
      name: 'Brand',
      use_version: 2,
      versions: [
        { version: 1, version_identifier: '1.0', folder: 'versions/1' },
        { version: 2, version_identifier: '2.0', folder: 'versions/2' },
      ],
    },
    'brand/Logos/logo.svg': logo,
    'brand/Logos/logo.json': { uuid: '237C41F2-AAAA-4BBB-8CCC-000000000001' },
    'brand/Logos/star.svg': star,
    'brand/versions/1/Logos/logo.svg': oldLogo,
    'brand/versions/1/Logos/logo.json': { uuid: '237C41F2-AAAA-4BBB-8CCC-000000000001' },
    'brand/versions/1/Logos/retired.svg': retired,
    'brand/versions/2/Logos/logo.svg': logo,
    'brand/versions/2/Logos/logo.json': { uuid: '237C41F2-AAAA-4BBB-8CCC-000000000001' },
    'brand/versions/2/Logos/star.svg': star,
  })
  service = await serveSpace(space.folder)
  work = await project(
    {
      'content-space.config.json': JSON.stringify({ kits: { brand: 'brand' } }),
      'public/logo.svg': logo,
      'public/old.svg': oldLogo,
      'assets/retired.svg': retired,
      'src/icons.jsx': `export const Star = (props) => (\n  <svg {...props} viewBox="0 0 24 24"><path fill={'#e5603f'} d="M12,2 l3,7h7l-6,5 3,8-7-5-7,5 3-8-6-5h7z" /></svg>\n)\n`,
      'src/page.css': `a {\n  background: url("data:image/svg+xml;base64,${Buffer.from(logo).toString('base64')}");\n}\n`,
      'src/other.svg': drawing('M3 11h18v2H3z'),
      'src/main.js': "import { star } from 'content-space:kit/brand'\nconsole.log(star.src)\n",
    },
    service.env,
  )
  const png = await sharp(Buffer.from(logo), { density: 600 }).resize(200).png().toBuffer()
  expect(await work.run('sync')).toMatchObject({ code: 0 })
  await work.write({ 'src/inline.html': `<img src="data:image/png;base64,${png.toString('base64')}">\n` })
})
afterAll(async () => {
  await service.close()
  await work.remove()
  await space.remove()
})

interface Report {
  findings: { finding: string; file: string; line: number; version?: string; import?: string }[]
  files: number
  read: number
  unknown: number
  unused: string[]
}

async function audit(...flags: string[]): Promise<Report & { code: unknown; stderr: string }> {
  const { code, stdout, stderr } = await work.run('audit', '--json', ...flags)
  const report: Report = JSON.parse(stdout)
  return { ...report, code, stderr }
}

const short = ({ findings }: Report): string[] =>
  findings.map(({ finding, file, line, version = '' }) => `${finding} ${file}:${line} ${version}`.trim())

const certain = [
  'outdated assets/retired.svg:1 1.0',
  'copy public/logo.svg:1',
  'outdated public/old.svg:1 1.0',
  'redrawn src/icons.jsx:2',
  'copy src/page.css:2',
]

test('without downloads, finds files of all versions, and drawings that the cache has', async () => {
  const report = await audit('--no-download')
  expect(short(report)).toEqual(certain)
  expect(report).toMatchObject({ code: 0, files: 9, read: 9, unknown: 1, unused: [] })
  expect(report.findings.map((one) => one.import)).toEqual([
    undefined,
    'content-space:asset/brand/logo',
    'content-space:asset/brand/logo',
    'content-space:asset/brand/star',
    'content-space:asset/brand/logo',
  ])
  expect(service.downloads().length).toBe(1)
})

test('downloads drawings once to compare them, after announcing it', async () => {
  const report = await audit()
  expect(report.stderr).toContain('downloading 1 SVG file for comparison; --no-download leaves them out')
  expect(short(report)).toEqual([...certain.slice(0, 4), 'likeness src/inline.html:1', ...certain.slice(4)])
  expect(report.unknown).toBe(0)
  expect(service.downloads().length).toBe(2)
})

test('reads only changed files again, also offline', async () => {
  // Advance the clock, because files that have just changed are read again, as file systems store time in coarse steps.
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 60_000 })
  const first = await audit()
  await work.write({ 'src/other.svg': logo })
  const requests = service.requests.length
  const second = await audit('--offline')
  expect(service.requests.length).toBe(requests)
  expect(first.stderr).toBe('')
  expect(second.read).toBe(1)
  expect(short(second)).toEqual([...short(first).slice(0, 5), 'copy src/other.svg:1', short(first)[5]])
  expect(service.downloads().length).toBe(2)
  vi.useRealTimers()
  await rm(join(work.root, 'src/other.svg'))
})

test('repeats offline what it has found in a project without a lockfile', async () => {
  for (const config of [{ kits: { brand: 'brand' } }, {}]) {
    const unlocked = await project(
      { 'content-space.config.json': JSON.stringify(config), 'logo.svg': logo, 'old.svg': oldLogo },
      service.env,
    )
    const first = await unlocked.run('audit', '--json')
    expect(first).toMatchObject({ code: 0, stdout: expect.stringContaining('"outdated"') })
    const requests = service.requests.length
    expect(await unlocked.run('audit', '--offline', '--json')).toMatchObject({ code: 0 })
    expect(JSON.parse((await unlocked.run('audit', '--offline', '--json')).stdout)).toMatchObject({
      findings: JSON.parse(first.stdout).findings,
    })
    expect(service.requests.length).toBe(requests)
    await unlocked.write({ 'content-space.config.json': JSON.stringify({ kits: { other: 'brand' } }) })
    expect(await unlocked.run('audit', '--offline')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('error[offline]'),
    })
    await unlocked.remove()
  }
})

test('searches the given paths, and prints a table', async () => {
  const { code, stdout } = await work.run('audit', 'public', '--fail-on', 'outdated,redrawn')
  expect(stdout).toBe(
    [
      'copy      public/logo.svg:1  Logo                 content-space:asset/brand/logo',
      'outdated  public/old.svg:1   Logo of version 1.0  content-space:asset/brand/logo',
      '2 findings in 2 files\n',
    ].join('\n'),
  )
  expect(code).toBe(1)
  expect(await work.run('audit', 'public', '--fail-on', 'redrawn')).toMatchObject({ code: 0 })
  expect(await work.run('audit', 'missing')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('does not exist'),
  })
  expect((await work.run('audit', 'publc')).stderr).toMatch(/publc does not exist\.\nhint: Did you mean public\?/)
  expect(await work.run('audit', '--fail-on', 'copies')).toMatchObject({ code: 2 })
  expect((await work.run('audit', '--fail-on', 'copy,outdate')).stderr).toMatch(
    /got 'outdate'\. Did you mean outdated\?/,
  )
})

test('reports neither what Git or the configuration ignores, nor what this package writes', async () => {
  execFileSync('git', ['init', '-q'], { cwd: work.root })
  await work.write({
    '.gitignore': '.cache*\n/assets/\n',
    'content-space.config.json': JSON.stringify({
      kits: { brand: 'brand' },
      audit: { ignore: ['src/**', 'star', 'gone/**'], failOn: ['copy'] },
    }),
  })
  expect(await work.run('pull', 'brand', '--out', 'pulled')).toMatchObject({ code: 0 })
  expect(await readFile(join(work.root, 'pulled/logos/logo.svg'), 'utf8')).toBe(logo)
  expect(await work.run('app-icons', 'brand/logo', '--out', 'web')).toMatchObject({ code: 0 })
  await work.write({
    'web/logo.svg': logo,
    'web/space.json': '{}',
    'web/mirror.json': '{}',
    'site.json': '{ "site": 1 }',
  })
  expect(await work.run('browse', 'brand', '--out', 'site')).toMatchObject({ code: 0 })
  const report = await audit()
  expect(short(report)).toEqual(['copy public/logo.svg:1', 'outdated public/old.svg:1 1.0', 'copy web/logo.svg:1'])
  expect(report).toMatchObject({ code: 1, unused: ['star', 'gone/**'] })
  expect((await work.run('audit')).stderr).toContain('note: gone/** in audit.ignore matches nothing. Remove it.\n')
})

test('finds colors of the kits in scripts and styles, and what should not be used any more', async () => {
  const other = await writeSpace({
    'brand/kit.json': { name: 'Brand' },
    'brand/Colors/coral.json': { type: 'COLOR', meta: { hex: '#E5603F' } },
    'brand/Colors/paper.json': { type: 'COLOR', meta: { hex: '#FFFFFF' } },
    'brand/Logos/logo.svg': logo,
    'brand/Logos/logo.svg.json': { fields: { expires: '2020-01-31' } },
    'brand/Logos/star.svg': star,
    'brand/Logos/star.svg.json': { fields: { expires: '2999-01-31' } },
    'fields.json': [{ id: 1, name: 'Expires', type: 'date' }],
  })
  const colors = await project({
    'content-space.config.json': JSON.stringify({ space: other.folder, kits: { brand: 'brand' } }),
    'src/page.css': 'a { color: #e5603f; border: 1px solid rgb(229 96 64) }\n#e5603f { fill: #fff; stroke: #3f60e5 }\n',
    'src/strings.css':
      '[data-c="#e5603f"], b #e5603f[a="{"] { fill: url(#e5603f); mask: url(data:image/svg+xml,<svg fill="#e5603f"/>) }\na { content: "#e5603f" }\n',
    'src/theme.ts': [
      "export const theme = { accent: '#E5603F', near: 'hsl(12 76% 57%)', text: '#000' }",
      'class Node { static #e5603f = 1; #fed() {} }',
      `export const icon = '<svg viewBox="0 0 9 9"><path fill="#e5603f" d="M0 0h3v3z"/></svg>'`,
    ].join('\n'),
    'public/logo.svg': logo,
    'src/main.js': "import { logo, star } from 'content-space:kit/brand'\nconsole.log(logo.src, star.src)\n",
  })
  for (const file of ['src/tokens.css', 'src/tokens.ts', 'src/_tokens.scss', 'brand.tokens.json'])
    expect(await colors.run('tokens', 'brand', '--out', file)).toMatchObject({ code: 0 })
  expect(await colors.run('sync')).toMatchObject({ code: 0 })
  const declarations = await readFile(join(colors.root, 'src/content-space.d.ts'), 'utf8')
  await colors.write({ 'other/content-space.d.ts': `${declarations}// #e5603f, is a color\n// : #e5603f\n` })
  expect(await colors.run('catalog', '--out', 'CATALOG.md')).toMatchObject({ code: 0 })
  const run = async (...flags: string[]): Promise<Report> =>
    JSON.parse((await colors.run('audit', '--json', ...flags)).stdout)
  const found = [
    'copy public/logo.svg:1',
    'color src/page.css:1',
    'color src/page.css:1',
    'color src/theme.ts:1',
    'color src/theme.ts:1',
  ]
  const report = await run()
  expect(short(report)).toEqual(found)
  expect(report.findings[1]).toMatchObject({
    asset: { slug: 'coral' },
    color: { text: '#e5603f', distance: 0 },
    import: 'content-space:tokens/brand',
  })
  expect(short(await run('--color-distance', '0')).length).toBe(3)
  const expired = ['copy public/logo.svg:1', 'expired public/logo.svg:1', 'expired src/main.js:1']
  expect(short(await run('--expires', 'expires', '--color-distance', '0')).filter((one) => !/color/.test(one))).toEqual(
    expired,
  )
  const { stdout: named } = await colors.run('audit', '--expires', 'Expires')
  expect(named).toContain('Logo: expires 2020-01-31 has passed')
  expect(await colors.run('audit', '--expires', 'expire')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('Did you mean expires?'),
  })
  const { stdout } = await colors.run('audit', 'public', '--markdown', '--sarif', 'audit.sarif')
  expect(stdout).toContain('| `public/logo.svg:1` | copy | Logo | `content-space:asset/brand/logo` |\n')
  const sarif = JSON.parse(await readFile(join(colors.root, 'audit.sarif'), 'utf8'))
  expect(sarif.runs[0].results).toMatchObject([
    {
      ruleId: 'copy',
      message: { text: 'Logo. Import content-space:asset/brand/logo instead.' },
      locations: [{ physicalLocation: { artifactLocation: { uri: 'public/logo.svg' }, region: { startLine: 1 } } }],
    },
  ])
  expect(await colors.run('audit', 'public', '--sarif', 'audit.sarif')).toMatchObject({ code: 0 })
  const refused = await colors.run('audit', 'public', '--sarif', 'src/main.js')
  expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('was not written by content-space') })
  expect(await readFile(join(colors.root, 'src/main.js'), 'utf8')).toContain('logo.src')
  await colors.remove()
  await other.remove()
})

function refuseThumbnail({ path }: ServedRequest): void {
  if (path.startsWith('/thumbnails/')) throw new Error('Closes the connection.')
}

test('compares without thumbnails that cannot be fetched', async () => {
  const photo = await sharp({ create: { width: 64, height: 32, channels: 3, background: '#e5603f' } })
    .jpeg()
    .toBuffer()
  const photos = await writeSpace({ 'brand/kit.json': { name: 'Brand' }, 'brand/Photos/coast.jpg': photo })
  const failing = await serveSpace(photos.folder, { onRequest: refuseThumbnail })
  const page = `<img src="data:image/jpeg;base64,${photo.toString('base64')}">`
  const one = await project(
    { 'content-space.config.json': JSON.stringify({ kits: { brand: 'brand' } }), 'a.html': page },
    failing.env,
  )
  const { code, stdout } = await one.run('audit', '--json')
  expect([code, JSON.parse(stdout)]).toMatchObject([0, { findings: [{ finding: 'copy' }], unknown: 1 }])
  expect(failing.requests.map(({ path }) => path.split('/')[1])).toContain('thumbnails')
  await one.remove()
  await failing.close()
  await photos.remove()
})

test('respects ignore files without a repository, also rules that include again', async () => {
  const one = await project(
    {
      'content-space.config.json': JSON.stringify({ kits: { brand: 'brand' } }),
      '.gitignore': '/drafts/*\n!/drafts/kept.svg\n*.old.svg\n/gone/\n',
      'src/.gitignore': '!logo.old.svg\n',
      'drafts/kept.svg': logo,
      'drafts/other.svg': logo,
      'gone/logo.svg': logo,
      'src/logo.old.svg': logo,
      'src/deep/star.old.svg': logo,
      'logo.old.svg': logo,
    },
    service.env,
  )
  const found = async (...paths: string[]): Promise<string[]> =>
    JSON.parse((await one.run('audit', '--json', ...paths)).stdout).findings.map(({ file }: { file: string }) => file)
  expect(await found()).toEqual(['drafts/kept.svg', 'src/logo.old.svg'])
  expect(await found('src')).toEqual(['src/logo.old.svg'])
  await one.remove()
})

test('takes no empty file for a link of another version, whose listed hash is that of an empty file', async () => {
  const link = { type: 'URL', meta: { content: 'https://example.com' }, file_hash: 'd41d8cd98f00b204e9800998ecf8427e' }
  const links = await writeSpace({
    'brand/kit.json': { name: 'Brand', use_version: 2, versions: [1, 2].map((version) => ({ version })) },
    'brand/Links/site.json': link,
    'brand/versions/1/Links/site.json': link,
    'brand/versions/2/Links/site.json': link,
  })
  const listing = await serveSpace(links.folder)
  const kits = JSON.stringify({ kits: { brand: 'brand' } })
  const one = await project({ 'content-space.config.json': kits, 'empty.svg': '' }, listing.env)
  const { stdout } = await one.run('audit', '--json')
  expect(JSON.parse(stdout)).toMatchObject({ findings: [], read: 2 })
  await one.remove()
  await listing.close()
  await links.remove()
})
