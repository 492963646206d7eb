import { execFile } from 'node:child_process'
import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { project, type Project } from '../support/cli.js'
import { serveSpace, svg, writeSpace, type Files, type ServedSpace, type SpaceFolder } from '../support/space.js'

const kit = '3BD9A8C0-1111-4222-8333-444455556666'
const id = (number: number): string => `237C41F2-AAAA-4BBB-8CCC-0000000000${number}`

const color = (number: number, name: string, hex: string): object => ({
  uuid: id(number),
  name,
  type: 'COLOR',
  size: 0,
  colors: [hex],
})

/** Adds a section with assets under headings: `{ Primary: ['logo.svg'] }`. */
function section(folder: string, number: number, name: string, headings: [number, string, string[]][]): Files {
  const items = headings.flatMap(([uuid, heading, files]) => [{ heading, uuid: id(uuid) }, ...files])
  return { [`${folder}/section.json`]: { uuid: id(number), name, items } }
}

function asset(path: string, number: number): Files {
  return { [`${path}.svg`]: svg(path.slice(path.lastIndexOf('/'))), [`${path}.json`]: { uuid: id(number) } }
}

function font(path: string, number: number, variant: string): Files {
  const meta = { font: { family: 'Inter', variant, source: 'google-fonts', stylesheetUrl: 'https://fonts.example/i' } }
  return { [`${path}.asset.json`]: { uuid: id(number), name: 'Inter', type: 'TEXT_STYLE', size: 0, meta } }
}

/**
 * Returns a kit with two versions. The second one renames section Marks and heading Print, removes section Old and
 * heading Wide, moves the badge, and changes, adds, and removes colors and a font.
 */
function structured(use: number): Files {
  const [one, two] = ['brand/versions/1', 'brand/versions/2']
  return {
    'space.json': { space_id: 7 },
    'brand/kit.json': {
      uuid: kit,
      name: 'Brand',
      use_version: use,
      date_updated: `2024-01-0${use} 00:00:00.000000+0000`,
      versions: [1, 2].map((version) => ({ version, folder: `versions/${version}` })),
    },
    ...section(`${one}/Marks`, 11, 'Marks', [
      [21, 'Print', ['logo.svg', 'badge.svg']],
      [22, 'Wide', []],
    ]),
    ...asset(`${one}/Marks/logo`, 31),
    ...asset(`${one}/Marks/badge`, 32),
    ...section(`${one}/Old`, 12, 'Old', [[23, 'All', ['relic.svg']]]),
    ...asset(`${one}/Old/relic`, 33),
    [`${one}/Colors/section.json`]: { uuid: id(13), name: 'Colors' },
    [`${one}/Colors/coral.asset.json`]: color(41, 'Coral', '#e5603f'),
    [`${one}/Colors/sky.asset.json`]: color(42, 'Sky', '#3fa0e5'),
    ...font(`${one}/Colors/inter`, 51, 'Regular'),
    ...section(`${two}/Marks`, 11, 'Logos', [[21, 'On paper', ['logo.svg']]]),
    ...asset(`${two}/Marks/logo`, 31),
    ...section(`${two}/Extra`, 14, 'Extra', [[24, 'Badges', ['badge.svg', 'relic.svg']]]),
    ...asset(`${two}/Extra/badge`, 32),
    ...asset(`${two}/Extra/relic`, 33),
    [`${two}/Colors/section.json`]: { uuid: id(13), name: 'Colors' },
    [`${two}/Colors/coral.asset.json`]: color(41, 'Coral', '#d4552f'),
    [`${two}/Colors/mint.asset.json`]: color(43, 'Mint', '#3fe5a0'),
    ...font(`${two}/Colors/inter`, 51, 'Bold'),
    'brand/Marks/section.json': { uuid: id(11), name: 'Marks' },
    ...asset('brand/Marks/logo', 31),
  }
}

const source = [
  `import { logo, badge } from 'content-space:section/brand/marks'`,
  `import old from 'content-space:section/brand/old'`,
  `import { wide } from 'content-space:section/brand/marks/wide'`,
  `import { colors } from 'content-space:tokens/brand'`,
  `import print from 'content-space:section/${id(11)}'`,
  `console.log(logo, badge, old, wide, print, colors.coral.css,`,
  `  colors.sky.css)`,
  `const { sky } = colors`,
].join('\n')

const author = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.com', '-c', 'commit.gpgsign=false']

let space: SpaceFolder
let service: ServedSpace
let work: Project

beforeEach(async () => {
  space = await writeSpace(structured(1))
  service = await serveSpace(space.folder)
  work = await project({ 'src/main.js': source }, service.env)
})
afterEach(async () => {
  await service.close()
  await work.remove()
  await space.remove()
})

const json = async (...args: string[]) => JSON.parse((await work.run('diff', ...args, '--json')).stdout)
const linesOf = ({ breaks }: { breaks: { line: number }[] }) => breaks.map(({ line }) => line)

describe('sections, headings and tokens', () => {
  test('are compared between two versions, with the lines that would break', async () => {
    const { sections, headings, tokens, moved } = await json('brand', '--from', '1', '--to', '2')
    expect(sections).toEqual({
      added: [expect.objectContaining({ uuid: id(14), name: 'Extra', to: { name: 'Extra', slug: 'extra' } })],
      removed: [expect.objectContaining({ uuid: id(12), name: 'Old', from: { name: 'Old', slug: 'old' } })],
      renamed: [
        expect.objectContaining({
          uuid: id(11),
          name: 'Logos',
          kit: 'brand',
          from: { name: 'Marks', slug: 'marks' },
          to: { name: 'Logos', slug: 'logos' },
        }),
      ],
    })
    expect(linesOf(sections.removed[0])).toEqual([2])
    // The import by uuid in line 5 still works.
    expect(linesOf(sections.renamed[0])).toEqual([1, 3])
    expect(headings).toMatchObject({
      added: [],
      removed: [{ uuid: id(22), name: 'Wide', from: { slug: 'wide', section: 'Marks' } }],
      renamed: [{ uuid: id(21), name: 'On paper', from: { name: 'Print' }, to: { slug: 'on-paper' } }],
      moved: [],
    })
    expect(moved).toMatchObject([
      { uuid: id(32), name: 'Badge', from: { sections: ['Marks'] }, to: { sections: ['Extra'] } },
      { uuid: id(33), name: 'Relic', from: { sections: ['Old'] }, to: { sections: ['Extra'] } },
    ])
    expect(tokens).toMatchObject({
      added: [{ name: 'Mint', to: { export: 'mint', type: 'color', value: '#3fe5a0' } }],
      removed: [{ name: 'Sky', from: { value: '#3fa0e5' } }],
      renamed: [],
      changed: [
        { name: 'Coral', from: { value: '#e5603f' }, to: { value: '#d4552f' }, breaks: [] },
        { name: 'Inter', from: { value: 'Inter 400 https://fonts.example/i' }, to: { type: 'font' } },
      ],
    })
    expect(linesOf(tokens.removed[0])).toEqual([7, 8])
    expect(await json('brand', '--from', '2', '--to', '2')).toEqual({
      added: [],
      removed: [],
      renamed: [],
      changed: [],
    })
  })

  test('are compared with the space if the lockfile contains the names of sections', async () => {
    await work.write({ 'src/main.js': source.replace(/.*wide.*\n/, '').replace(', wide', '') })
    await work.run('sync')
    expect((await work.run('diff')).stdout).toBe('no differences\n')
    await space.write(structured(2))
    const { sections, moved, tokens } = await json()
    expect(sections.renamed).toMatchObject([{ name: 'Logos', breaks: [] }])
    expect(moved).toMatchObject([
      { name: 'Badge', breaks: [{ line: 1 }] },
      { name: 'Relic', breaks: [] },
    ])
    expect(tokens.changed).toMatchObject([{ name: 'Coral' }, { name: 'Inter' }])
    expect((await work.run('diff', '--exit-code')).code).toBe(1)
    const updated = JSON.parse((await work.run('update', '--json')).stdout)
    expect(updated.changes).toMatchObject({ sections, moved, tokens })
  })

  test('are compared between the lockfile of a commit and that of the project, without the service', async () => {
    const git = async (...args: string[]) => promisify(execFile)('git', [...author, ...args], { cwd: work.root })
    await work.write({
      '.gitignore': '.cache\n',
      'src/main.js': source.replace(/.*wide.*\n/, '').replace(', wide', ''),
    })
    await work.run('sync')
    await git('init', '--quiet')
    await git('add', '--all')
    await git('commit', '--quiet', '--message', 'State')
    await space.write(structured(2))
    await work.run('update', '--rename')
    // The lockfiles contain only assets that the source uses, and not all sections.
    const compared = await json('--since', 'HEAD', '--offline')
    expect(compared.sections).toBeUndefined()
    expect(compared.tokens.changed).toHaveLength(2)
    const alone = await json('--since', 'HEAD', '--offline', '--space', '.', '--cache-dir', '.cache/empty')
    expect(alone).toEqual(compared)
  })

  test('of a draft are compared only with the draft that is locked, where the cache has it', async () => {
    await work.write({ 'src/main.js': `import { logo } from 'content-space:section/brand@draft/marks'\nlogo` })
    await work.run('sync')
    const dated = structured(1)
    await space.write({
      'brand/kit.json': { ...Object(dated['brand/kit.json']), date_updated: '2024-03-01 00:00:00.000000+0000' },
      'brand/Marks/section.json': { uuid: id(11), name: 'Signs' },
    })
    expect((await json()).sections.renamed).toMatchObject([{ name: 'Signs', from: { name: 'Marks' } }])
    await rm(join(work.root, '.cache'), { recursive: true })
    expect(await json()).toEqual({ added: [], removed: [], renamed: [], changed: [] })
  })

  test('are in the lines, the Markdown and the page', async () => {
    const args = ['diff', 'brand', '--from', '1', '--to', '2']
    const { stdout } = await work.run(...args)
    expect(stdout.split('\n').filter((line) => /section|heading|token|color |font | moved/.test(line))).toEqual([
      ...[
        'removed  section Old  old',
        '2  content-space:section/brand/old',
        'removed  heading Wide  wide in Marks',
        'removed  color Sky  sky  #3fa0e5',
        '7  content-space:tokens/brand',
        '8  content-space:tokens/brand',
        'renamed  section Marks → Logos  marks → logos',
        '1  content-space:section/brand/marks',
        '3  content-space:section/brand/marks/wide',
        'renamed  heading Print → On paper  print → on-paper in Marks → Logos',
        'moved    asset Badge  badge: Marks → Extra',
        'moved    asset Relic  relic: Old → Extra',
        'changed  color Coral  coral  #e5603f → #d4552f',
        'changed  font Inter  inter  Inter 400 https://fonts.example/i → Inter 700 https://fonts.example/i',
        'added    section Extra  extra',
        'added    color Mint  mint  #3fe5a0',
      ].map((text) => expect.stringMatching(new RegExp(`${text.replaceAll(/[.*+?^$()[\]\\/]/g, '\\$&')}$`))),
      expect.stringContaining(
        'assets: 2 moved; sections: 1 removed, 1 renamed, 1 added; headings: 1 removed, 1 renamed; ' +
          'tokens: 1 removed, 2 changed, 1 added; 5 lines of the source would break',
      ),
    ])
    const markdown = (await work.run(...args, '--markdown')).stdout
    expect(markdown).toContain('| changed | color | Coral | `coral` | `#e5603f` → `#d4552f` |')
    expect(markdown).toContain('- `src/main.js:7`: Sky from `content-space:tokens/brand`')
    expect(markdown.indexOf('These imports would break:')).toBeLessThan(markdown.indexOf('### brand'))
    await work.run(...args, '--html', 'page.html')
    const page = await readFile(join(work.root, 'page.html'), 'utf8')
    expect(page.match(/<path d="M0 0h1v1H0z" fill="#[\da-f]{6}"/g)).toHaveLength(4)
    expect(page).not.toContain(' style=')
  })
})
