import { fc } from '../../support/random.js'
import { describe, expect, test } from 'vitest'
import { ContentSpaceError } from '../../../src/errors.js'
import type { Query } from '../../../src/request/query.js'
import {
  idToRequest,
  labelOfId,
  parseRequest,
  requestToId,
  type KitReference,
  type Request,
} from '../../../src/request/request.js'

const uuid = '3BD9A1C2-0B1E-4F6D-8A77-0123456789AB'
const query: Query = { as: 'asset', full: false }
const seen: string[] = []
const context = {
  kits: new Map<string, KitReference>([
    ['brand', { kit: uuid, version: 'use' }],
    ['icons', { kit: '237C0000-0B1E-4F6D-8A77-0123456789AB', version: 2 }],
  ]),
  query: (text: string) => {
    seen.push(text)
    return query
  },
}
const parse = (text: string) => parseRequest(`content-space:${text}`, context)
const kit = { kit: uuid, version: 'use' } as const
const icons = { kit: '237C0000-0B1E-4F6D-8A77-0123456789AB', version: 2 } as const

describe('parseRequest', () => {
  test.each<[string, Request]>([
    ['kits', { kind: 'kits' }],
    ['kit/brand', { kind: 'kit', kit, query }],
    [`kit/${uuid.toLowerCase()}`, { kind: 'kit', kit, query }],
    [`kit/%7B${uuid}%7D`, { kind: 'kit', kit, query }],
    ['kit/brand@2', { kind: 'kit', kit: { kit: uuid, version: 2 }, query }],
    ['kit/brand@draft', { kind: 'kit', kit: { kit: uuid, version: 0 }, query }],
    ['kit/brand@use', { kind: 'kit', kit, query }],
    ['kit/icons', { kind: 'kit', kit: icons, query }],
    ['kit/icons@use', { kind: 'kit', kit: { ...icons, version: 'use' }, query }],
    ['kit/Gr%C3%B6%C3%9Fen', { kind: 'kit', kit: { kit: 'größen', version: 'use' }, query }],
    ['kit/Gro\u0308ßen', { kind: 'kit', kit: { kit: 'größen', version: 'use' }, query }],
    ['outline/brand@1', { kind: 'outline', kit: { kit: uuid, version: 1 } }],
    ['section/brand/logos', { kind: 'section', kit, section: 'logos', query }],
    [
      'section/brand@3/logos/dark',
      { kind: 'section', kit: { kit: uuid, version: 3 }, section: 'logos', heading: 'dark', query },
    ],
    [`section/${uuid.toLowerCase()}`, { kind: 'section', version: 'use', section: uuid, query }],
    [`section/${uuid}@4`, { kind: 'section', version: 4, section: uuid, query }],
    ['asset/brand/hero-photo', { kind: 'asset', kit, asset: 'hero-photo', query }],
    [`asset/brand@draft/${uuid.toLowerCase()}`, { kind: 'asset', kit: { kit: uuid, version: 0 }, asset: uuid, query }],
    [`asset/${uuid.toLowerCase()}`, { kind: 'asset', asset: uuid, query }],
    ['asset/1E887y', { kind: 'asset', asset: '1e887y', query }],
    ['asset/https://acme.example/a/Full-Color-1E887y', { kind: 'asset', asset: 'full-color-1e887y', query }],
    ['section/d9x3n2@2', { kind: 'section', version: 2, section: 'd9x3n2', query }],
    ['kit/oYYL4W', { kind: 'kit', kit: { kit: 'oyyl4w', version: 'use' }, query }],
    [
      'kit/https://content.example/acme/k/Brand-oYYL4W/',
      { kind: 'kit', kit: { kit: 'brand-oyyl4w', version: 'use' }, query },
    ],
    [
      'asset/brand@2/https://acme.example/a/Full-Color-1E887y',
      { kind: 'asset', kit: { kit: uuid, version: 2 }, asset: 'full-color-1e887y', query },
    ],
  ])('%s', (text, request) => {
    expect(parse(text)).toEqual(request)
  })

  test.each(['asset_token=canary&v=42', 'v=42'])('rejects the query of an address, and does not repeat it', (text) => {
    const id = `asset/brand/https://acme.example/a/Icon-1E887y?${text}`
    const error = attempt(() => parse(id))
    expect(error).toMatchObject({ code: 'invalidId', hint: 'Write content-space:asset/brand/Icon-1E887y.' })
    expect(JSON.stringify(error) + String(error)).not.toMatch(/canary|v=42/)
    expect(parse(`${id.split('?')[0]}?as=react`)).toMatchObject({ asset: 'icon-1e887y' })
  })

  test('passes on the text after the question mark, including percent signs', () => {
    seen.length = 0
    parse('asset/brand/hero-photo?w=640;1280&format=avif;webp')
    parse('kit/brand?background=%23fff&preset=a?b')
    parse('kit/brand')
    expect(seen).toEqual(['w=640;1280&format=avif;webp', 'background=%23fff&preset=a?b', ''])
  })

  test.each([
    ['kit', 'content-space:kit/<kit>[@<version>]'],
    ['kits/brand', 'content-space:kits'],
    ['kitt/brand', 'Did you mean content-space:kit/brand?'],
    ['brand', 'Did you mean content-space:kit/brand?'],
    ['brand/logo?w=64', 'Did you mean content-space:asset/brand/logo?w=64?'],
    ['kit/brand/logo?w=64', 'Did you mean content-space:asset/brand/logo?w=64?'],
    ['kit/brand/logos/dark', 'Did you mean content-space:section/brand/logos/dark?'],
    ['brand/logos/dark', 'Did you mean content-space:section/brand/logos/dark?'],
    [`asset/${uuid}@2`, 'content-space:asset/<uuid or short id>'],
    ['asset/1E887y@2', 'cannot have a version'],
    ['asset/brand/hero@2', 'content-space:asset/<kit>[@<version>]/<asset>'],
    ['asset/brand/logos/hero', 'content-space:asset/<kit>[@<version>]/<asset>'],
    ['kit/brand@latest', 'A version is a number, draft or use'],
    ['kit/brand@', 'A version is a number, draft or use'],
    ['kit//', 'empty part'],
    ['kit/50%', '%25'],
  ])('%s is rejected: %s', (text, part) => {
    const refusal = attempt(() => parse(text))
    expect(refusal).toMatchObject({ code: 'invalidId', facts: { import: `content-space:${text}` } })
    expect(refusal?.message).toContain(part)
  })

  test('rejects a query on a target without assets', () => {
    expect(attempt(() => parse('kits?w=1'))).toMatchObject({ code: 'invalidQuery' })
    expect(attempt(() => parse('outline/brand?w=1'))).toMatchObject({ code: 'invalidQuery' })
  })
})

describe('requestToId', () => {
  const text = fc.string({ unit: 'grapheme', minLength: 1 })
  const reference = fc.record({ kit: text, version: fc.oneof(fc.nat(), fc.constant('use' as const)) })
  const queries = fc.record({ as: fc.constantFrom('asset' as const, 'url' as const), full: fc.boolean() })
  const requests: fc.Arbitrary<Request> = fc.oneof(
    fc.record({ kind: fc.constant('kit' as const), kit: reference, query: queries, pick: fc.array(text) }),
    fc.record({ kind: fc.constant('asset' as const), kit: reference, asset: text, query: queries }),
    fc.record({ kind: fc.constant('asset' as const), asset: text, query: queries }),
    fc.record({ kind: fc.constant('section' as const), version: fc.nat(), section: text, query: queries }),
    fc.record({ kind: fc.constant('outline' as const), kit: reference }),
  )

  test('contains the whole request, and only characters without a meaning for bundlers', () => {
    fc.assert(
      fc.property(requests, (request) => {
        const id = requestToId(request)
        expect(id).toMatch(/^content-space:([a-z]+)\/([\w-]*)\/~[\w-]+\/\1\/\2$/)
        expect(idToRequest(id)).toEqual(request)
        expect(parseRequest(id, context)).toEqual(request)
      }),
    )
  })

  test('is the same for any order of the keys, and has a readable ending', () => {
    const named = (asset: string) => requestToId({ kind: 'asset', kit, asset, query: { as: 'asset', full: true } })
    for (const name of ['日本', '☃ 🎉']) {
      expect(named(name)).toMatch(/^content-space:asset\/asset\/~[\w-]+\/asset\/asset$/)
      expect(requestToId(idToRequest(named(name)), labelOfId(named(name)))).toBe(named(name))
    }
    expect(named('Öl-日本')).toMatch(/\/-l-$/)
    const id = requestToId({ kind: 'asset', kit, asset: 'hero-photo.json', query: { as: 'asset', full: true } })
    expect(id).toBe(requestToId({ query: { full: true, as: 'asset' }, asset: 'hero-photo.json', kit, kind: 'asset' }))
    expect(id).toMatch(/\/hero-photo-json$/)
  })

  test('rejects an invalid id', () => {
    expect(attempt(() => idToRequest('content-space:kit/brand'))).toMatchObject({ code: 'invalidId' })
  })
})

function attempt(step: () => unknown): ContentSpaceError | undefined {
  try {
    step()
    return undefined
  } catch (error) {
    if (error instanceof ContentSpaceError) return error
    throw error
  }
}
