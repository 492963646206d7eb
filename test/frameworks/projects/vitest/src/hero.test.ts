import { solvaneLogo } from 'content-space:kit/brand'
import coast from 'content-space:asset/brand/coast-at-dawn?w=320;640&format=webp'
import leaf from 'content-space:asset/brand/leaf?raw'
import { expect, test } from 'vitest'

test('content is imported with its metadata', () => {
  expect(solvaneLogo.name).toBe('Solvane Logo')
  expect(solvaneLogo.src).toMatch(/solvane-logo.*\.svg$/)
  expect(coast.srcset).toMatch(/coast-at-dawn\S*\.webp 320w, .*\.webp 640w/)
  expect(leaf).toContain('<svg')
})
