import { expect, test } from 'vitest'
import { writeDescriptor } from '../../../src/bundlers/references/descriptors.js'
import { checkPolicy, readDescriptor, readMarkTarget } from '../../../src/bundlers/references/read-descriptors.js'
import { planAsset, type FileDescriptor } from '../../../src/files/plan.js'
import { writeRecipe } from '../../../src/files/recipe.js'
import { parseQuery } from '../../../src/request/query.js'
import { forgedDescriptors } from '../../support/hostile-marks.js'
import { assetRecord } from '../../support/memory-space.js'

const uuid = 'F6C452CC-7AE3-5494-8475-8D422BDF3178'
const cuts = ['SVG', 'PNG', 'PDF', 'JPG'].map((type) => ({ type, enabled: true, resizable: true }))

const queries = [
  '',
  'url',
  'raw',
  'inline',
  'svgo',
  'raw&svgo',
  'cut=png',
  'cut=png;original',
  'cut=pdf&url',
  'w=16',
  'w=16;32&format=webp;avif;png;jpg;gif;original',
  'h=8&placeholder=blur',
  'placeholder=color&rotate=-90',
  'w=16&h=8&fit=cover&position=left-top',
  'w=16&h=8&fit=contain&background=fff',
  'greyscale',
  'w=8&dpr=0.5;1;2&enlarge',
  'blur=0.3',
  'blur=12.5&quality=1',
  'rotate=45&background=tomato&format=jpg',
  'inline&w=10',
  'raw&cut=pdf',
]
const types = ['SVG', 'JPG', 'PNG', 'GIF', 'TIFF', 'webp', 'WOFF2', 'Sketch', 'a type', '']
const names = [
  'Noël',
  'a > b ? c ~',
  'CON',
  '',
  '漢字',
  'x'.repeat(200),
  `${'x'.repeat(79)} y`,
  'logo.svg',
  '__CONTENT_SPACE_',
  '../x',
]
const about = { cuts, size: 100, width: 60.5, height: 40, fileUpdated: '2026-01-01T00:00:00.000Z' }

/** Returns every file and value in the plan of an asset. */
function shownBy(type: string, name: string, query: string): { files: FileDescriptor[]; values: object[] } {
  try {
    const asset = assetRecord(uuid, name, { type, ...about })
    const { src, srcset = [], sources = [], value, placeholder } = planAsset(asset, parseQuery(query), 'strict')
    const entries = [...srcset, ...sources.flatMap((source) => source.srcset)].map(({ file }) => file)
    const values = [value, placeholder].filter((found) => found !== undefined)
    return { files: [...(src ? [src] : []), ...entries], values }
  } catch {
    // Not every type has every cut.
    return { files: [], values: [] }
  }
}

test('reads every file and value of a plan exactly as it was written', () => {
  let read = 0
  for (const type of types) {
    for (const name of names) {
      for (const query of queries) {
        const { files, values } = shownBy(type, name, query)
        for (const file of files) expect(readDescriptor(writeDescriptor(file))).toEqual(file)
        for (const value of values) expect(readMarkTarget(JSON.stringify({ value }))).toEqual({ value })
        read += files.length + values.length
      }
    }
  }
  expect(read).toBeGreaterThan(2000)
})

const recipe = writeRecipe({ kind: 'svg', policy: 'strict' })
const victim: FileDescriptor = { asset: uuid, label: 'x', name: 'victim', ext: 'svg', type: 'SVG', recipe }
const forged = forgedDescriptors(victim).filter(({ planned }) => !planned)
const recipes: object[] = [
  { kind: 'svg', policy: 'none' },
  { kind: 'svg', policy: 'strict', prefix: 'x' },
  { kind: 'raster', format: 'webp', fit: 'scale', width: 0.5 },
  { kind: 'raster', format: 'webp', fit: 'scale', width: '10' },
  { kind: 'raster', format: 'webp', fit: 'scale', blur: 1e9 },
  { kind: 'raster', format: 'webp', fit: 'scale', background: 'url(x)' },
  { kind: 'raster', format: 'webp', fit: 'scale', position: '' },
  { kind: 'raster', format: '../x', fit: 'scale' },
  { kind: 'shell' },
]
const more: [name: string, file: object][] = [
  ...recipes.map((forgery): [string, object] => {
    return [JSON.stringify(forgery), { ...victim, ext: 'webp', recipe: JSON.stringify({ ...forgery, version: 2 }) }]
  }),
  ['an unknown key', { ...victim, url: 'https://elsewhere.example' }],
  ['an empty cut', { ...victim, cut: '' }],
  ['a device of Windows', { ...victim, name: 'con' }],
  ['a uuid in lower case', { ...victim, asset: uuid.toLowerCase() }],
  ['another order in its recipe', { ...victim, recipe: '{"version":4,"policy":"strict","kind":"svg"}' }],
  ['no object', [victim]],
]

const refused = [...forged.map(({ name, file }): [string, object] => [name, file]), ...more]

test.each(refused)('rejects a descriptor with %s', (_, file) => {
  const written = Buffer.from(JSON.stringify(file)).toString('base64url')
  expect(() => readDescriptor(written)).toThrow(expect.objectContaining({ code: 'integrity' }))
  expect(() => readMarkTarget(JSON.stringify({ file }))).toThrow(expect.objectContaining({ code: 'integrity' }))
})

test('rejects an inlined SVG without a prefix', () => {
  const value = { file: victim, as: 'raw' }
  expect(() => readMarkTarget(JSON.stringify({ value }))).toThrow(expect.objectContaining({ code: 'integrity' }))
})

test('accepts an SVG only under the configured policy', () => {
  const { recipe: _, ...trusted } = victim
  expect(() => checkPolicy(victim, 'strict')).not.toThrow()
  expect(() => checkPolicy(trusted, 'trust')).not.toThrow()
  for (const policy of ['sanitize', 'trust'] as const) {
    expect(() => checkPolicy(victim, policy)).toThrow(expect.objectContaining({ code: 'integrity' }))
  }
  for (const policy of ['sanitize', 'strict'] as const) {
    expect(() => checkPolicy(trusted, policy)).toThrow(expect.objectContaining({ code: 'integrity' }))
  }
})
