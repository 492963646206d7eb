import { expect, it } from 'vitest'
import { engineVersions } from '../../../../src/files/convert/versions.js'

/** Without their versions. */
function makers(kind: 'raster' | 'svg' | 'check'): string[] {
  return engineVersions(kind)
    .split(' ')
    .map((one) => one.replace(/@\d+\.\d+\.\d+.*$/, ''))
}

it('names what makes a kind of file and nothing else: a new svgo makes no picture anew', () => {
  expect(makers('raster')).toEqual(['sharp'])
  expect(makers('svg')).toEqual(['svgo', 'css-tree', 'parse5', 'saxes'])
  expect(makers('check')).toEqual(['parse5', 'saxes'])
})
