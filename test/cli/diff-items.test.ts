import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { project, type Project } from '../support/cli.js'
import { id } from '../support/memory-space.js'
import { serveSpace, svg, writeSpace, type Files, type SpaceFolder } from '../support/space.js'

let space: SpaceFolder
let work: Project

const same = 'Leave space around it, at least as wide as the letter A of the word, on all of its sides. '

/** Returns a version of the kit. Its assets and files are always the same. */
function edition(folder: string, expires: string | undefined, items: object[]): Files {
  return {
    [`${folder}/Logos/section.json`]: { uuid: id(2), items: ['logo.svg', ...items] },
    ...Object.fromEntries(
      ['logo', 'poster', 'banner'].flatMap((name, at): [string, Files[string]][] => [
        [`${folder}/Logos/${name}.svg`, svg(name)],
        [
          `${folder}/Logos/${name}.json`,
          { uuid: id(10 + at), ...(at === 0 && expires && { fields: { Expires: expires } }) },
        ],
      ]),
    ),
  }
}

beforeAll(async () => {
  space = await writeSpace({
    'space.json': { space_id: 7, fields: [{ id: 1, name: 'Expires', type: 'date' }] },
    'brand/kit.json': {
      uuid: id(1),
      name: 'Brand',
      use_version: 1,
      versions: [1, 2].map((version) => ({ version, version_identifier: '', folder: `versions/${version}` })),
    },
    ...edition('brand/versions/1', '2027-01-31', [
      { type: 'inline_note', uuid: id(20), content: 'Only on white.' },
      { type: 'guide', uuid: id(21), title: 'Do', content: `${same}Twice as much in print.` },
      { type: 'gallery', uuid: id(22), name: 'Campaign', files: ['poster.svg'] },
      { type: 'code_snippet', uuid: id(23), content: 'a {}', language: 'css' },
    ]),
    ...edition('brand/versions/2', '2027-06-30', [
      { type: 'guide', uuid: id(21), title: 'Do', content: `${same}Three times as much | in print.` },
      { type: 'gallery', uuid: id(22), name: 'Campaign', files: ['banner.svg'] },
      { type: 'code_snippet', uuid: id(23), content: 'a {}', language: 'css' },
      { type: 'inline_note', uuid: id(24), content: 'Ask *us*.' },
    ]),
    ...edition('brand', undefined, [{ type: 'gallery', uuid: id(22), name: 'Campaign', files: ['banner.svg'] }]),
  })
  work = await project({}, { CONTENT_SPACE_URL: space.folder })
})
afterAll(async () => {
  await work.remove()
  await space.remove()
})

const run = async (...args: string[]) => (await work.run('diff', 'brand', '--from', '1', '--to', '2', ...args)).stdout

test('lists items with other texts and members, and an asset with another value of a field, in JSON', async () => {
  const { items, changed, ...rest } = JSON.parse(await run('--json'))
  expect(changed).toMatchObject([
    { uuid: id(10), export: 'logo', detail: 'fields', from: { fields: { expires: '2027-01-31' } }, breaks: [] },
  ])
  expect(changed[0].to.fields).toEqual({ expires: '2027-06-30' })
  const campaign = { name: 'Campaign', text: 'Campaign' }
  expect(items).toMatchObject({
    added: [{ uuid: id(24), type: 'inline_note', text: 'Ask *us*.', to: { assets: [] } }],
    removed: [{ uuid: id(20), type: 'inline_note', text: 'Only on white.' }],
    changed: [
      {
        uuid: id(22),
        type: 'gallery',
        from: { ...campaign, assets: ['Poster'] },
        to: { ...campaign, assets: ['Banner'] },
      },
      { uuid: id(21), type: 'guide', text: `Do: ${same}Three times as much | in print.` },
    ],
  })
  expect(Object.keys(rest)).toEqual(['added', 'removed', 'renamed'])
  expect((await work.run('diff', 'brand', '--from', '1', '--to', '2', '--exit-code')).code).toBe(1)
})

test('shows the place in a long text that differs, and members that were added and removed', async () => {
  expect((await run()).split('\n')).toEqual([
    'brand: version 1 → version 2',
    '  changed  Logo  logo  expires: 2027-01-31 → expires: 2027-06-30',
    '  removed  inline_note Only on white.',
    '  changed  gallery Campaign  : + Banner, - Poster',
    '  changed  guide Do  … all of its sides. Twice as much in print. → … all of its sides. Three times as much | in print.',
    '  added    inline_note Ask *us*.',
    '1 changed; items: 1 removed, 2 changed, 1 added',
    '',
  ])
})

test('escapes the texts in Markdown, and reports a removed field', async () => {
  const text = await run('--markdown')
  expect(text).toContain(String.raw`| added | inline\_note | Ask \*us\*. |  |  |`)
  expect(text).toContain(String.raw`Three times as much \| in print.`)
  const { stdout } = await work.run('diff', 'brand', '--from', '2', '--to', 'draft')
  expect(stdout).toContain('  changed  Logo  logo  expires: 2027-06-30 → expires: none\n')
  expect(stdout).toContain('items: 3 removed')
})

test.each([
  ['@draft', 'brand'],
  ['@1', 'brand/versions/1'],
])('an update prints what has changed in a gallery of brand%s', async (version, folder) => {
  const service = await serveSpace(space.folder)
  onTestFinished(() => service.close())
  const { url, spaceId, token } = service
  const env = { CONTENT_SPACE_URL: url, CONTENT_SPACE_ID: String(spaceId), CONTENT_SPACE_TOKEN: token }
  const one = await project({ 'main.ts': `import { logo } from 'content-space:kit/brand${version}'\nlogo\n` }, env)
  onTestFinished(() => one.remove())
  expect(await one.run('sync')).toMatchObject({ code: 0 })
  const gallery = { type: 'gallery', uuid: id(22), name: 'Campaign', files: ['logo.svg'] }
  await space.write(edition(folder, undefined, [gallery]))
  expect((await one.run('update')).stdout).toMatch(/changed {2}gallery Campaign .*\+ Logo/)
})
