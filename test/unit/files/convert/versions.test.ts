import { expect, test } from 'vitest'
import { openVersions } from '../../../../src/files/convert/versions.js'
import type { Task } from '../../../../src/files/recipe.js'

const versionsOf = openVersions()

/** Returns the names of the converters without their versions. */
function makers(task: Task): string[] {
  return versionsOf(task)
    .split(' ')
    .map((one) => one.replace(/@\d+\.\d+\.\d+.*$/, ''))
}

test('names only the converters of a file, so that a new svgo does not invalidate raster pictures', () => {
  expect(makers({ kind: 'raster', format: 'png', fit: 'scale' })).toEqual(['sharp'])
  expect(makers({ kind: 'svg', policy: 'sanitize' })).toEqual(['parse5', 'saxes'])
  expect(makers({ kind: 'svg', policy: 'trust', svgo: true })).toEqual(['svgo', 'css-tree'])
  expect(makers({ kind: 'svg', policy: 'strict', prefix: 'c1' })).toEqual(['svgo', 'css-tree', 'parse5', 'saxes'])
  expect(makers({ kind: 'check' })).toEqual(['parse5', 'saxes'])
})
