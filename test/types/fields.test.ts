import { mkdir, readFile, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { project, type Project } from '../support/cli.js'
import { check } from './tsc.js'

/** A kit with custom fields, some of which have the same name as a property whose type is general elsewhere. */
const space = {
  'space/space.json': JSON.stringify({ fields: [{ name: 'Rights', type: 'select', options: ['Web', 'Print'] }] }),
  'space/brand/Campaign/section.json': JSON.stringify({
    items: [
      { file: 'poster.svg' },
      { type: 'guide', title: 'Do', file: 'do.svg' },
      { type: 'gallery', name: 'Spring', files: ['poster.svg', 'banner.svg'] },
    ],
  }),
  'space/brand/Campaign/poster.json': JSON.stringify({
    fields: { Expires: '2027-01-31', Rights: 'Web', Regions: ['EU', 'US'], Priority: 2, Status: 'final' },
  }),
  'space/brand/Campaign/do.json': JSON.stringify({ fields: { Expires: '2028-06-30', Notes: 'internal' } }),
  ...Object.fromEntries(
    ['poster', 'do', 'banner'].map((name) => [
      `space/brand/Campaign/${name}.svg`,
      `<svg xmlns="http://www.w3.org/2000/svg" width="8" height="8"><title>${name}</title></svg>`,
    ]),
  ),
}

const imports = `
import kit, { banner, _do, poster } from 'content-space:kit/brand'
import guide from 'content-space:asset/brand/do?metadata=full'
import described from 'content-space:asset/brand/poster?as=metadata'
`

const right = `${imports}
export const expires: '2027-01-31' = poster.fields.expires
export const rights: 'Web' = poster.fields.rights
export const regions: readonly ['EU', 'US'] = poster.fields.regions
export const priority: 2 = described.fields.priority
export const status: 'final' = poster.fields.status
export const notes: ['internal', string] = [guide.fields.notes, guide.notes]
export const ofGuide: '2028-06-30' = kit.sections[0].items[1].asset.fields.expires
export const ofMember: 2 = kit.sections[0].items[2].assets[0].fields.priority
export const key: string = kit.fields[0].key
export default [_do.name, banner.name]
`

const wrong = [
  `poster.fields.expires satisfies '2027-02-01'`,
  `if (poster.fields.expires === '2026-01-31') throw new Error()`,
  `poster.fields.rights satisfies 'Print'`,
  `poster.fields.regions satisfies ['EU']`,
  `described.fields.priority satisfies 3`,
  `poster.fields.status satisfies 'draft'`,
  `guide.fields.expires satisfies '2028-07-01'`,
  `kit.sections[0].items[2].assets[0].fields.expires satisfies '2028-06-30'`,
  `poster.fields.expiry`,
  `banner.fields`,
]

let work: Project

beforeAll(async () => {
  work = await project({
    ...space,
    'package.json': '{ "type": "module" }',
    'content-space.config.json': JSON.stringify({ space: './space' }),
    'right.ts': right,
    'wrong.ts': imports.trim().replaceAll('\n', '; ') + '; ' + wrong.join('\n'),
  })
  await mkdir(join(work.root, 'node_modules'))
  await symlink(
    fileURLToPath(new URL('../..', import.meta.url)),
    join(work.root, 'node_modules/unplugin-content-space'),
  )
  const { code, stderr } = await work.run('sync')
  expect([code, stderr]).toEqual([0, ''])
})
afterAll(() => work.remove())

test.each(['TypeScript 5.9', 'TypeScript 7'] as const)(
  '%s accepts the values of fields that sync declares, and rejects each other one',
  async (compiler) => {
    expect(await readFile(join(work.root, 'content-space.d.ts'), 'utf8')).toContain("expires: '2027-01-31'")
    const errors = await check(work.root, compiler, 'bundler')
    expect(errors.map((error) => error.split(' ')[0])).toEqual(
      wrong.map((_, index) => `wrong.ts:${index + 1}`).toSorted(),
    )
  },
)
