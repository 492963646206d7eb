import { expect, test } from '@jest/globals'
import leaf from 'content-space:asset/brand/leaf?raw'
import { hero } from './hero'

test('shows the logo and the photograph', () => {
  expect(hero()).toContain('src="solvane-logo.svg"')
  expect(hero()).toContain('srcset="coast-at-dawn.webp 320w, coast-at-dawn.webp 640w"')
  expect(leaf).toContain('<svg')
})

test('an import that is not in the source names option scan', () => {
  const id = ['content-space:asset', 'brand', 'moon'].join('/')
  expect(() => require(id)).toThrow('`scan`')
})
