import { expect, test } from 'vitest'
import { breaksIn } from '../../../../src/commands/shared/changes/breaks.js'
import type { Side, SideAsset } from '../../../../src/commands/shared/changes/side.js'
import { scanSource } from '../../../../src/source/uses.js'
import { parseQuery } from '../../../../src/request/query.js'
import { parseRequest } from '../../../../src/request/request.js'

const kit = '3BD9A8C0-1111-4222-8333-444455556666'
const badge = '237C41F2-AAAA-4BBB-8CCC-000000000003'
const logo = '237C41F2-AAAA-4BBB-8CCC-000000000001'
const section = '237C41F2-AAAA-4BBB-8CCC-0000000000D0'

const named = (name: string, slug: string, aliases: { name: string; slug: string }[] = []) => ({
  names: { name, slug, aliases },
})
const edition = (version: number, assets: [string, SideAsset][]): Side => ({
  version,
  label: '',
  notes: '',
  assets: new Map(assets),
  sections: new Set([section]),
})

const before = edition(1, [
  [badge, { ...named('oldBadge', 'old-badge'), shortIds: ['1E887y'] }],
  [logo, named('acmeLogo', 'acme-logo')],
])
const renamed = edition(2, [[logo, named('corpLogo', 'corp-logo')]])
const keeping = edition(2, [[logo, named('corpLogo', 'corp-logo', [{ name: 'acmeLogo', slug: 'acme-logo' }])]])

const states = {
  uuid: kit,
  slug: 'brand',
  releases: [],
  names: new Set([kit, 'brand', 'old-brand']),
  shortId: 'oYYL4W',
  affects: (selector: number | 'use') => selector === 'use' || selector === 1,
}

function lines(code: string, after: Side, uuid: string): number[] {
  const uses = scanSource(code, 'a.ts').map((use) => {
    return {
      ...use,
      request: parseRequest(use.specifier, {
        kits: new Map([['mine', { kit, version: 'use' }]]),
        query: (text) => parseQuery(text),
      }),
    }
  })
  const { assets } = breaksIn(uses, { ...states, before, after }, undefined, new Map())
  return (assets.get(uuid) ?? []).map(({ line }) => line)
}

test.each<[string, number[]]>([
  [`import { oldBadge } from 'content-space:kit/brand'`, [1]],
  [`\nimport { oldBadge as b } from 'content-space:kit/mine?as=url'`, [2]],
  [`export { oldBadge } from 'content-space:kit/old-brand@1'`, [1]],
  [`const { oldBadge } = await import('content-space:kit/${kit.toLowerCase()}')`, [1]],
  [`import * as kit from 'content-space:section/brand/logos'\nkit.oldBadge`, [1]],
  [`import { oldBadge } from 'content-space:section/${section}'`, [1]],
  [`import type { acmeLogo, oldBadge } from 'content-space:kit/brand'`, [1]],
  [`import { acmeLogo, type oldBadge } from 'content-space:kit/brand'`, [1]],
  [`export type { oldBadge } from 'content-space:kit/brand'`, [1]],
  [`export { type oldBadge as b } from 'content-space:kit/brand'`, [1]],
  [`type A = typeof import('content-space:kit/brand').oldBadge.src`, [1]],
  [`type A = typeof import('content-space:kit/brand')`, []],
  [`import { OldBadge } from 'content-space:kit/brand?as=react'`, [1]],
  [`import { OldBadge as B } from 'content-space:section/brand/logos?as=vue'`, [1]],
  [`import x from 'content-space:asset/brand/old-badge?w=20'`, [1]],
  [`import x from 'content-space:asset/brand/${badge}'`, [1]],
  [`import x from 'content-space:asset/${badge}'`, [1]],
  [`import x from 'content-space:asset/Old-Badge-1E887y'`, [1]],
  [`import { oldBadge } from 'content-space:kit/oYYL4W'`, [1]],
  // Unaffected imports: another version, another kit, the whole kit, and another asset.
  [`import { oldBadge } from 'content-space:kit/brand@draft'`, []],
  [`import { oldBadge } from 'content-space:kit/icons'`, []],
  [`import kit from 'content-space:kit/brand'`, []],
  [`import { acmeLogo } from 'content-space:kit/brand'`, []],
  [`import { AcmeLogo } from 'content-space:kit/brand?as=react'`, []],
])('finds imports of a removed asset: %s', (code, expected) => expect(lines(code, keeping, badge)).toEqual(expected))

test('finds imports by a name that the asset no longer has, but not by a name that the lock keeps', () => {
  const code = `import { acmeLogo } from 'content-space:kit/brand'\nimport 'content-space:asset/brand/acme-logo'\nimport 'content-space:asset/brand/${logo}'`
  expect(lines(code, renamed, logo)).toEqual([1, 2])
  expect(lines(code, keeping, logo)).toEqual([])
})

test('finds imports that would refer to another asset', () => {
  const swapped = edition(2, [
    [logo, named('corpLogo', 'corp-logo')],
    [badge, named('acmeLogo', 'acme-logo')],
  ])
  expect(lines(`import { acmeLogo } from 'content-space:kit/brand'`, swapped, logo)).toEqual([1])
})
