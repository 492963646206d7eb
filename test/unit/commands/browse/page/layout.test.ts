import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { groupsFor } from '../../../../../src/commands/browse/page/grid/results.js'
import {
  arrange,
  captionOf,
  cellAt,
  measure,
  rowsBetween,
  step,
  topOf,
} from '../../../../../src/commands/browse/page/layout.js'
import { createModel } from '../../../../../src/commands/shared/kit-page/model.js'
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
  expect(block && [rowsBetween(block, -900, 100), rowsBetween(block, 241, 900)]).toEqual([
    [0, 1],
    [1, 2],
  ])
})

test('places texts, guides and galleries among the assets of a section', () => {
  const [first, second, third, fourth, fifth] = many(5).map((one) => ({ ...one, uuid: one.name }))
  if (!first || !second || !third || !fourth || !fifth) throw new Error('There are five assets.')
  const content = kit(first, second, third, fourth, fifth)
  const [section] = content.sections
  if (!section) throw new Error('There is one section.')
  section.items = [
    { asset: first.uuid, caption: 'On paper' },
    { note: 'Use it on white.' },
    { code: 'npm i', language: 'sh' },
    { asset: second.uuid },
    { heading: 'Rules', slug: 'rules' },
    { guide: { title: 'Do' } },
    { asset: third.uuid, guide: { title: 'Do', content: 'Keep it clear' } },
    { asset: fourth.uuid, guide: { title: "Don't" } },
    { gallery: 'Campaign', assets: [fifth.uuid, 'unknown'] },
    { asset: first.uuid },
    { other: 'quiz' },
  ]
  const { groups, places } = createModel(content)
  expect(groups.map(({ kind, texts, assets, heading }) => [kind, texts.length, assets.length, heading])).toEqual([
    ['assets', 0, 1, undefined],
    ['assets', 2, 1, undefined],
    ['guides', 1, 2, 'rules'],
    ['gallery', 1, 1, 'rules'],
    ['assets', 0, 1, 'rules'],
  ])
  expect(groups.map(({ isFirst, isContinued, count }) => [isFirst, isContinued, count])).toEqual([
    [true, false, 5],
    [false, true, 5],
    [false, false, 5],
    [false, true, 5],
    [false, true, 5],
  ])
  expect(places.get(first.uuid)?.map(({ caption }) => caption)).toEqual(['On paper', undefined])
  const heights = [
    { texts: 7, guide: 0 },
    { texts: 90, guide: 0 },
    { texts: 30, guide: 60 },
    { texts: 25, guide: 0 },
  ]
  const layout = arrange(groups, { columns: 3, picture: 100, gap: 20, row: 168 }, heights)
  // A caption is 36 pixels high. Guides have one column of larger pictures, and 12 pixels above their texts.
  expect(layout.blocks.map(({ head, height }) => [head, height - head])).toEqual([
    [72, 168 + 36],
    [90, 168],
    [48 + 30, 2 * (150 + 48 + 12 + 60 + 20)],
    [25, 168],
    [0, 168],
  ])
})

test('says that a section is empty if it has neither assets nor texts', () => {
  const content = kit('One')
  expect(createModel(content).groups.map(({ isEmpty }) => isEmpty)).toEqual([true, false])
  content.sections[0]?.items.push({ note: 'Soon' })
  expect(createModel(content).groups.map(({ isEmpty }) => isEmpty)).toEqual([false, false])
})

test('shows what a filter finds in one list for each heading, with the texts of guides as captions', () => {
  const [first, second] = [asset('First'), asset('Second', { type: 'PNG' })]
  const content = kit(first, second)
  const items = content.sections[0]?.items
  items?.splice(1, 0, { note: 'Between' })
  items?.splice(2, 1, { asset: second.uuid, guide: { title: 'Do', content: 'Like this' } })
  const found = createModel(content)
  const groups = groupsFor(found, 'unused', { assets: [first, second], isRanked: false })
  expect(groups.map(({ kind, texts, assets, count }) => [kind, texts, assets.length, count])).toEqual([
    ['assets', [], 2, 2],
  ])
  expect(groups[0]?.assets.map((shown) => captionOf(shown, 'assets'))).toEqual(['', 'Do: Like this'])
  // The groups of the model haven't changed.
  expect(found.groups.map(({ assets }) => assets.length)).toEqual([1, 1])
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
