import { expect, test } from 'vitest'
import { declarationsText } from '../../../src/modules/declarations.js'
import { assetShape, type TypeBodies } from '../../../src/modules/types.js'
import type { Query } from '../../../src/request/query.js'
import { assetRecord, meaning, namedKit } from '../../support/declared.js'

const query: Query = { as: 'asset', full: false }

test('assets with the same fields share the common part of their types', () => {
  const bodies: TypeBodies = new Map()
  const assets = Array.from({ length: 100 }, (_, at) => assetRecord(at, `Icon ${at}`, { width: 10 + at }))
  const shapes = assets.map((asset) => assetShape(asset, query, { width: asset.width ?? 0, height: 80 }, bodies))
  expect(new Set(shapes.map(({ body }) => body)).size).toBe(1)
  expect(bodies.size).toBe(1)
  expect(shapes[3]?.values).toContain('13')
  expect(shapes[3]?.type()).toContain("name: 'Icon 3'")
})

test.each([
  ['a small', 5],
  ['a large', 20],
])('declarations build the tree of %s collection once', (_, count) => {
  const named = namedKit(Array.from({ length: count }, (__, at) => assetRecord(at, `Icon ${at}`)))
  const resolved = meaning('content-space:kit/brand', named)
  if (resolved.kind !== 'collection') throw new Error('A kit is a collection.')
  let built = 0
  const { collection } = resolved
  const counted: typeof collection = {
    ...collection,
    tree(...given) {
      built++
      return collection.tree(...given)
    },
  }
  expect(declarationsText([{ ...resolved, collection: counted }], { longest: 10 })).toContain('icon4')
  expect(built).toBe(1)
})
