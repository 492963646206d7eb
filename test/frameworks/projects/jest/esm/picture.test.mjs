import { expect, test } from '@jest/globals'
import kit, { solvaneLogo } from 'content-space:kit/brand?as=metadata'
import address from 'content-space:asset/brand/solvane-logo?url'
import leaf from 'content-space:asset/brand/leaf?raw'
import { picture } from '@/picture.mjs'

test('each query has its own module', async () => {
  const { default: original } = await import('content-space:asset/brand/coast-at-dawn')
  expect([original.format, picture.format]).toEqual(['jpg', 'webp'])
  expect(address).toBe('solvane-logo.svg')
  expect(leaf).toContain('<svg')
  expect(kit.sections[0].items[1].asset).toBe(solvaneLogo)
})

test('an import that is not in the source names option scan', async () => {
  for (const end of ['moon', 'leaf?w=100']) {
    const id = ['content-space:asset', 'brand', end].join('/')
    await expect(import(id)).rejects.toThrow('scan')
  }
})
