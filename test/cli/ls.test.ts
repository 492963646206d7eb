import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { project, type Project } from '../support/cli.js'
import { contentService, kitUuid } from '../support/content-service.js'
import { faultServer } from '../support/fault-server.js'
import { brand, richSpace, serveSpace, svg, writeSpace, type ServedSpace, type SpaceFolder } from '../support/space.js'

let space: SpaceFolder
let service: ServedSpace
let work: Project

beforeAll(async () => {
  space = await richSpace()
  service = await serveSpace(space.folder)
  work = await project({}, service.env)
})
afterAll(async () => {
  await service.close()
  await work.remove()
  await space.remove()
})

test('shows a terminal all of what one copies, and a version without a date has none', async () => {
  const { run, openTerminal } = await import('../../src/cli/main.js')
  const name = 'a-drawing-with-a-very-long-name-that-no-terminal-of-eighty-columns-shows'
  const folder = await writeSpace({ [`brand/Logos/${name}.svg`]: svg('long') })
  const lines: string[] = []
  const stdout = { isTTY: true, columns: 80, write: (text: string) => void lines.push(text) }
  const terminal = openTerminal({
    stdout,
    stderr: { write: () => {} },
    env: { CONTENT_SPACE_CACHE: work.root },
    cwd: work.root,
    signal: new AbortController().signal,
  })
  await run(['ls', 'brand', '--space', folder.folder], terminal)
  expect(lines.join('')).toContain(`  aDrawingWithAVeryLongNameThatNoTerminalOfEightyColumnsShows  ${name}  `)
  const { stdout: versions } = await work.run('ls', 'brand', '--versions', '--space', folder.folder)
  expect(versions).toBe('0  draft  1 asset  in use\n')
  await folder.remove()
})

test('lists kits, versions, and a kit as a tree with export names, without downloading anything', async () => {
  expect((await work.run('ls')).stdout).toContain(`acme-brand  Acme Brand  version 1 in use  ${brand.uuid}\n`)
  expect((await work.run('ls', 'acme-brand', '--versions')).stdout).toMatch(
    /^0 {2}draft .*\n1 {2}1\.0 .* 1 asset {2}in use {2}First\n$/,
  )
  const { code, stdout } = await work.run(
    'ls',
    'acme-brand@draft',
    '--section',
    'logos',
    '--type',
    'svg',
    '--keyword',
    'main',
  )
  expect(code).toBe(0)
  expect(stdout).toMatch(
    /^Acme Brand {2}draft {2}1 section, 1 asset, \d+ B\n {2}Logos {2}logos {2}1 asset, .*\n {4}# Primary\n {6}Acme Logo {2}acmeLogo {2}acme-logo {2}SVG {2}\d+ B\n$/,
  )
  expect(stdout).not.toContain('Photos')
  expect(service.downloads()).toEqual([])
})

test('requests no other version of a kit, even if the source imports it', async () => {
  const own = await project({ 'src/a.js': "import 'content-space:kit/acme-brand@draft'\n" }, service.env)
  onTestFinished(() => own.remove())
  for (const [args, outlines] of [
    [['ls', 'acme-brand'], 1],
    [['ls', 'acme-brand', '--versions'], 0],
    [['tokens', 'acme-brand', '--out', 'colors.css', '--cache-dir', 'new'], 1],
  ] as const) {
    const before = service.requests.length
    expect(await own.run(...args), args.join(' ')).toMatchObject({ code: 0 })
    const requests = service.requests.slice(before).filter(({ route }) => route === 'outline')
    expect(requests, args.join(' ')).toHaveLength(outlines)
  }
})

test('prints one JSON document, and rejects filters without a kit as wrong usage', async () => {
  const { stdout } = await work.run('ls', 'acme-brand', '--json')
  expect(JSON.parse(stdout)).toMatchObject({
    uuid: brand.uuid,
    version: 1,
    sections: [{ items: [{ asset: { export: 'acmeLogo' } }] }],
  })
  expect((await work.run('ls', '--type', 'svg')).code).toBe(2)
  expect((await work.run('ls', 'acme-brand', '--versions', '--type', 'svg')).code).toBe(2)
})

const listed = async (...args: string[]): Promise<{ counts: object; sections: { uuid: string; raw?: object }[] }> =>
  JSON.parse((await work.run('ls', 'acme-brand@draft', '--json', ...args)).stdout)

test('counts the filtered assets; a section is given by slug, name, uuid, short id or address', async () => {
  const [uuid = ''] = (await listed('--section', 'more')).sections.map((section) => section.uuid)
  const short = Object((await listed('--section', 'more')).sections[0]?.raw)['short_id']
  for (const section of ['More', uuid.toLowerCase(), short, `https://acme.example/s/More-${short}`]) {
    expect(await listed('--section', section)).toMatchObject({
      counts: { assets: 3, items: 3, sections: 1 },
      sections: [{ uuid, slug: 'more' }],
    })
  }
  expect(await listed('--type', 'jpeg')).toMatchObject({
    counts: { assets: 1, items: 1, sections: 1 },
    sections: [{ counts: { assets: 1, items: 1 } }],
  })
  // Displayed in two sections.
  expect(await listed('--keyword', 'MAIN')).toMatchObject({ counts: { assets: 1, items: 3, sections: 2 } })
})

test.each([
  [['--section', 'loggos'], 'There is no section loggos in kit Acme Brand.', 'Did you mean logos (Logos, '],
  [['--type', 'sgv'], 'Kit Acme Brand (draft) has no asset of type sgv.', 'Did you mean SVG'],
  [['--keyword', 'qqqqqqqq'], 'Kit Acme Brand (draft) has no asset with the keyword qqqqqqqq.', 'Available keywords: '],
  [['--keyword', 'mian'], 'Kit Acme Brand (draft) has no asset with the keyword mian.', 'Did you mean main'],
])('fails for %j, which the kit does not have, and names the nearest', async (args, summary, hint) => {
  const { code, stdout, stderr } = await work.run('ls', 'acme-brand@draft', ...args)
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
  expect(stderr).toContain(summary)
  expect(stderr).toContain(hint)
})

test('shows texts of items, captions, the assets that any item carries, and custom fields', async () => {
  const guidelines = await writeSpace({
    'brand/Guidelines/section.json': {
      items: [
        { heading: 'Logo' },
        { type: 'inline_note', content: 'Only on white.' },
        { type: 'guide', title: 'Do', content: 'Leave space.', file: 'do.svg' },
        { type: 'gallery', name: 'Spring', files: ['poster.svg', 'banner.svg'] },
        { file: 'logo.svg', display: { caption: 'The primary logo' } },
        { type: 'hologram', data: { depth: 7 }, file: 'depth.svg' },
      ],
    },
    'brand/Guidelines/poster.json': { fields: { Expires: '2027-01-31', 'Sales Regions': ['EU', 'US'] } },
    ...Object.fromEntries(
      ['do', 'poster', 'banner', 'logo', 'depth'].map((name) => [`brand/Guidelines/${name}.svg`, svg(name)]),
    ),
  })
  const { stdout } = await work.run('ls', 'brand', '--space', guidelines.folder)
  const json: unknown = JSON.parse((await work.run('ls', 'brand', '--json', '--space', guidelines.folder)).stdout)
  await guidelines.remove()
  const lines = stdout
    .replaceAll(/ +/g, ' ')
    .replaceAll(/ \d+ B/g, '')
    .split('\n')
  expect(lines.slice(1)).toEqual([
    ' Guidelines guidelines 5 assets,',
    ' # Logo',
    ' inline_note Only on white.',
    ' guide Do: Leave space.',
    ' Do _do do SVG',
    ' gallery Spring',
    ' Poster poster poster SVG expires: 2027-01-31; salesRegions: EU, US',
    ' Banner banner banner SVG',
    ' Logo logo logo SVG',
    ' The primary logo',
    expect.stringMatching(/^ hologram [0-9A-F-]{36}$/),
    ' Depth depth depth SVG',
    '',
  ])
  expect(json).toMatchObject({
    fields: expect.arrayContaining([expect.objectContaining({ key: 'salesRegions', name: 'Sales Regions' })]),
    sections: [{ items: { 3: { assets: [{ fields: { expires: '2027-01-31', salesRegions: ['EU', 'US'] } }, {}] } } }],
  })
})

test('finds assets by words in any order, the best ones first, and suggests words that find something', async () => {
  const found = async (...args: string[]): Promise<string[]> => {
    const { stdout } = await work.run('ls', 'acme-brand@draft', '--json', ...args)
    return JSON.parse(stdout).map((asset: { slug: string }) => asset.slug)
  }
  expect((await found('--search', 'logo acme'))[0]).toBe('acme-logo')
  expect(await found('--search', 'acme type:jpg')).toEqual([])
  expect(await found('--search', 'logo', '--section', 'photos')).toEqual([])
  expect((await work.run('ls', 'acme-brand@draft', '--search', 'zzzlogo')).stdout).toMatch(
    /^No asset of Acme Brand matches zzzlogo\./,
  )
  expect((await work.run('ls', 'acme-brand@draft', '--search', 'color:redd')).stdout).toContain('Did you mean red?')
  expect((await work.run('ls', '--search', 'logo')).code).toBe(2)
})

test.each([
  ['ls', { name: 'Brand' }],
  ['catalog', { kits: 1, assets: 1 }],
  ['diff --from use', { added: [], removed: [] }],
])('%s says what is wrong with the listing of a service, and prints it', async (command, expected) => {
  const server = await faultServer(contentService({ section: { counts: { items: 9 } } }))
  const [name = '', ...flags] = command.split(' ')
  const connection = ['--space', server.url, '--space-id', '7']
  const { code, stdout, stderr } = await work.run(name, kitUuid, '--json', ...flags, ...connection)
  expect(stderr).toBe('warning: Section Logos has 1 items, but its count is 9.\n')
  expect([code, JSON.parse(stdout)]).toEqual([0, expect.objectContaining(expected)])
  await server.close()
})
