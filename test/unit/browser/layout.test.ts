import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { arrange, cellAt, measure, rowsBetween, step, topOf } from '../../../src/browser/layout.js'
import { createModel } from '../../../src/browser/model.js'
import { asset, kit } from './kit.js'

const many = (count: number) => Array.from({ length: count }, (_, at) => asset(`Asset ${at}`))
const model = createModel(kit(...many(5), 'One', ...many(2), 'Two', ...many(7)))

test('places assets in rows below the names of sections and headings', () => {
  const layout = arrange(model.groups, { columns: 3, picture: 100, gap: 20, row: 168 })
  expect(layout.blocks.map(({ headingName, top, height, first }) => [headingName, top, height, first])).toEqual([
    [undefined, 0, 72 + 2 * 168, 0],
    ['One', 408, 48 + 168, 5],
    ['Two', 624, 48 + 3 * 168, 7],
  ])
  expect([layout.height, layout.cells.length]).toEqual([1176, 14])
  expect([topOf(layout, 0), topOf(layout, 3), topOf(layout, 6), topOf(layout, 13)]).toEqual([72, 240, 456, 1008])
  expect([cellAt(layout, 0), cellAt(layout, 240), cellAt(layout, 410), cellAt(layout, 9999)]).toEqual([0, 3, 5, 14])
  const [block] = layout.blocks
  expect(block && [rowsBetween(block, 168, -900, 100), rowsBetween(block, 168, 241, 900)]).toEqual([
    [0, 1],
    [1, 2],
  ])
})

test('keeps the column where the next row has it', () => {
  const layout = arrange(model.groups, { columns: 3, picture: 100, gap: 20, row: 168 })
  const walk = (from: number, ...keys: string[]) => keys.reduce((cell, key) => step(layout, cell, key), from)
  expect(walk(1, 'ArrowDown')).toBe(4)
  // The next row has two assets.
  expect(walk(2, 'ArrowDown')).toBe(4)
  expect(walk(4, 'ArrowDown', 'ArrowDown')).toBe(8)
  expect(walk(8, 'ArrowUp')).toBe(6)
  expect(walk(6, 'ArrowUp', 'ArrowUp', 'ArrowUp')).toBe(1)
  expect([walk(0, 'ArrowLeft'), walk(0, 'End'), walk(13, 'ArrowRight'), walk(13, 'Home')]).toEqual([0, 13, 13, 0])
})

test('leads to a cell from every cell, at every width', () => {
  fc.assert(
    fc.property(fc.integer({ min: 200, max: 3000 }), fc.nat({ max: 13 }), fc.boolean(), (width, cell, isDown) => {
      const layout = arrange(model.groups, measure(width))
      const to = step(layout, cell, isDown ? 'ArrowDown' : 'ArrowUp')
      expect(layout.cells[to]).toBeDefined()
      expect(isDown ? to >= cell : to <= cell).toBe(true)
    }),
  )
})

test('has two columns at 400 pixels', () => {
  expect(measure(368)).toMatchObject({ columns: 2, gap: 12 })
  expect(measure(968)).toMatchObject({ columns: 5, gap: 20 })
})
