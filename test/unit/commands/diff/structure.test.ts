import { expect, test } from 'vitest'
import { pairStructure } from '../../../../src/commands/shared/changes/compare-structure.js'
import { emptySide, type Side } from '../../../../src/commands/shared/changes/side.js'
import type { SidePart, SideSection } from '../../../../src/commands/shared/changes/structure.js'

const part = (uuid: string, name: string, assets: string[] = []): SidePart => ({
  uuid,
  name,
  slugs: [name.toLowerCase()],
  assets: new Set(assets),
})
const section = (uuid: string, name: string, assets: string[] = [], headings: SidePart[] = []): SideSection => ({
  ...part(uuid, name, assets),
  headings,
  items: [],
})
const side = (...structure: SideSection[]): Side => ({ ...emptySide(1), structure })
const pairsOf = (list: readonly { before?: SidePart; after?: SidePart }[]) =>
  list.map(({ before, after }) => `${before?.uuid ?? ''}>${after?.uuid ?? ''}`)
const shown = (before: Side, after: Side) => {
  const { sections = [], headings = [], moved = new Map() } = pairStructure(before, after) ?? {}
  return { sections: pairsOf(sections), headings: pairsOf(headings), moved: [...moved.keys()] }
}

test('pairs sections by uuid first, and then by name', () => {
  const before = side(section('1', 'Marks', ['a']), section('2', 'Old', ['b']))
  // Section 1 was renamed, and another section now has its former name.
  const after = side(section('3', 'Marks', ['b']), section('1', 'Logos', ['a']), section('4', 'Old'))
  expect(shown(before, after)).toEqual({ sections: ['1>1', '2>4', '>3'], headings: [], moved: ['b'] })
})

test('does not list the headings of a section that is on one side only, except those that have moved', () => {
  const before = side(section('1', 'Marks', [], [part('h', 'Print'), part('i', 'Wide')]), section('2', 'Old'))
  const after = side(section('2', 'Old', [], [part('i', 'Wide')]))
  expect(shown(before, after).headings).toEqual(['i>i'])
})

test("doesn't report an asset as moved if its section was renamed or recreated", () => {
  const before = side(section('1', 'Marks', ['a']), section('2', 'Old', ['b']))
  expect(shown(before, side(section('1', 'Logos', ['a']), section('9', 'Old', ['b']))).moved).toEqual([])
})

test('pairs a section that was renamed in a folder without uuids, and shows its new name in moves', () => {
  const before = side(section('1', 'Marks', ['a', 'b', 'c']), section('2', 'Old', ['c']))
  const after = side(section('9', 'Logos', ['a', 'b', 'c']), section('3', 'New', ['c']))
  expect(shown(before, after)).toEqual({ sections: ['1>9', '2>3'], headings: [], moved: [] })
  const { moved } = pairStructure(before, side(section('9', 'Logos', ['a', 'b', 'c']), section('3', 'New'))) ?? {}
  expect(moved?.get('c')?.before.map(({ name }) => name)).toEqual(['Logos', 'Old'])
})

test("doesn't compare anything if a side is unknown", () => {
  expect(pairStructure(emptySide(1), side(section('1', 'Marks')))).toBeUndefined()
})
