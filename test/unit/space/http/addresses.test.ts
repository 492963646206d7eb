import { expect, test } from 'vitest'
import { removeAccess } from '../../../../src/space/http/addresses.js'

const signed = (path: string) => `https://files.example/${path}?signature=s3cret`

function page() {
  const asset = { thumbnails: { 292: signed('292'), 1232: signed('1232') }, permalink: signed('a'), notes: signed('n') }
  const kit = { images: { cover: signed('cover') } }
  return { items: [{ asset }, { asset: { thumbnails: { 292: 'https://files.example/292' } } }], kit }
}

test('no key of a record has an address that grants access, and previews have the original ones', () => {
  const record = page()
  const previews = removeAccess(record)
  expect(record).toStrictEqual({
    items: [
      {
        asset: {
          thumbnails: { 292: 'https://files.example/292', 1232: 'https://files.example/1232' },
          permalink: 'https://files.example/a',
          notes: signed('n'),
        },
      },
      { asset: { thumbnails: { 292: 'https://files.example/292' } } },
    ],
    kit: { images: { cover: 'https://files.example/cover' } },
  })
  expect(Reflect.ownKeys(record.items[0]?.asset ?? {})).toEqual(['thumbnails', 'permalink', 'notes'])
  const { items, kit } = page()
  expect([...previews]).toEqual([
    [record.items[0]?.asset, JSON.stringify(items[0]?.asset.thumbnails)],
    [record.kit, kit.images.cover],
  ])
})
