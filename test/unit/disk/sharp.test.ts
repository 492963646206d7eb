import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import fastGlob from 'fast-glob'
import { expect, test } from 'vitest'
import sharp from '../../../src/disk/sharp.js'

test('sharp loads as CommonJS modules, and no module of the package loads it in another way', () => {
  expect(sharp).toBe(createRequire(import.meta.url)('sharp'))
  const importing = fastGlob.sync('src/**/*.{ts,tsx}').flatMap((file) => {
    const lines = readFileSync(file, 'utf8').split('\n')
    return lines.filter((line) => /^(?!import type ).*(?:from |await import\()'sharp'/.test(line))
  })
  expect(importing).toEqual([])
})
