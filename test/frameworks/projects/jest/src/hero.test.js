import { expect, test } from '@jest/globals'
import { readFileSync } from 'node:fs'
import leaf from 'content-space:asset/brand/leaf?raw'
import { solvaneLogo } from 'content-space:kit/brand'
import { hero } from './hero'

test('shows the logo and the photograph', () => {
  expect(hero()).toMatch(/solvane-logo\.svg.*coast-at-dawn\.webp 320w/)
  expect(readFileSync(solvaneLogo.src, 'utf8')).toContain('<svg')
  expect(leaf).toContain('<svg')
})

test('an import that is not in the source names option scan', () => {
  const asset = 'moon'
  expect(() => require(`content-space:asset/brand/${asset}`)).toThrow('`scan`')
})
