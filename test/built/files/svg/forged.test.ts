import * as v from 'valibot'
import { expect, test } from 'vitest'
import { integrityOf } from '../../../../src/disk/content.js'
import { noDerived, type Derived } from '../../../../src/disk/derived.js'
import { writeRecipe } from '../../../../src/files/recipe.js'
import { openStore } from '../../../../src/files/store.js'
import { readIndex } from '../../../../src/files/store-index.js'
import { openFiles, planned, tempFolder } from '../../../support/files.js'
import { svg } from '../../../support/svg-corpus.js'

const asset = { type: 'SVG', width: 90, height: 60, name: 'Logo', uuid: '20000000-0000-4000-8000-000000000001' }
const content = { SVG: Buffer.from(svg('<path id="a" d="M0 0h9v9z"/>')) }

/** Texts that a process with access to the cache could write. */
const forged = {
  'a script': svg('<script>hit()</script>'),
  'an attribute of a library': svg('<g x-init="hit()"/>'),
  'a drawing over the page': svg('').replace('<svg', '<svg style="position:fixed;inset:0"'),
  'a style sheet for the page': svg('<style>body{display:none}</style>'),
  'an id of the page': svg('<g id="login"/>'),
}

test.each(['raw', 'as=react', 'raw&svgo'])('forged texts in the cache for ?%s are replaced', async (query) => {
  const cacheDir = await tempFolder()
  // The results of earlier runs may be forged too.
  const none: unknown = []
  const derived: Derived = { ...noDerived, find: (kind) => (v.is(kind.schema, none) ? none : undefined) }
  const files = await openFiles(content, { cacheDir, derived, locked: () => integrityOf(content.SVG) })
  const { value } = planned(asset, query)
  if (!value) throw new Error('no value')
  const expected = await files.value(value)
  expect(files.warnings).toEqual([])
  const store = openStore(cacheDir, () => {})
  const entries = readIndex(cacheDir).filter(({ key }) => key.includes('"kind":"svg"'))
  expect(entries).toHaveLength(1)
  for (const [name, text] of Object.entries(forged)) {
    for (const { key } of entries) await store.put(key, Buffer.from(text))
    expect([name, await files.value(value), files.warnings.splice(0)]).toEqual([
      name,
      expected,
      [expect.stringContaining('Logo')],
    ])
    expect([await files.value(value), files.warnings]).toEqual([expected, []])
  }
})

test('a forged icon in the cache is replaced', async () => {
  const cacheDir = await tempFolder()
  const files = await openFiles(content, { cacheDir })
  const { src } = planned(asset, '')
  if (!src) throw new Error('no file')
  const file = { ...src, ext: 'json', recipe: writeRecipe({ kind: 'svg', policy: 'sanitize', icon: true }) }
  const icon = Buffer.from(await files.bytes(file)).toString()
  const store = openStore(cacheDir, () => {})
  for (const { key } of readIndex(cacheDir)) {
    if (!key.includes('"icon"')) continue
    await store.put(key, Buffer.from(JSON.stringify({ ...JSON.parse(icon), body: '<g onclick="hit()"/>' })))
  }
  expect(Buffer.from(await files.bytes(file)).toString()).toBe(icon)
  expect(files.warnings).toHaveLength(1)
})
