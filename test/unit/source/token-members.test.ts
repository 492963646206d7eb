import { expect, test } from 'vitest'
import { scanSource } from '../../../src/source/uses.js'

const found = (code: string, file = 'a.ts'): string[] =>
  scanSource(code, file).flatMap(({ tokens = [] }) => tokens.map(({ kind, name, line }) => `${kind}.${name}:${line}`))

test.each<[string, string[]]>([
  [
    `import { colors } from 'content-space:tokens/brand'\ncolors.coral.css\ncolors['sky']`,
    ['colors.coral:2', 'colors.sky:3'],
  ],
  [
    `import { colors as c, fonts } from 'content-space:tokens/brand'\nc.coral; fonts.inter`,
    ['colors.coral:2', 'fonts.inter:2'],
  ],
  [`import tokens from 'content-space:tokens/brand'\ntokens.colors.coral`, ['colors.coral:2']],
  [`import * as tokens from 'content-space:tokens/brand'\ntokens.fonts.inter`, ['fonts.inter:2']],
  [
    `import { colors } from 'content-space:tokens/brand'\nconst { coral, sky: s } = colors`,
    ['colors.coral:2', 'colors.sky:2'],
  ],
  [
    `import { colors } from 'content-space:tokens/brand'\ncolors[500]\nconst { 600: s, ['sky']: t } = colors`,
    ['colors.500:2', 'colors.600:3', 'colors.sky:3'],
  ],
  [`import { colors } from 'content-space:tokens/brand'\ntype A = typeof colors.coral`, ['colors.coral:2']],
  [`import type { colors } from 'content-space:tokens/brand'\ntype A = typeof colors.coral.css`, ['colors.coral:2']],
  // Names that can't be determined, and other modules.
  [`import { colors } from 'content-space:tokens/brand'\nObject.values(colors); colors[name]`, []],
  [`import { colors } from 'content-space:kit/brand'\ncolors.coral`, []],
])('finds the tokens that a script names: %s', (code, expected) => expect(found(code)).toEqual(expected))

test('counts the lines of a component from the start of its file', () => {
  const code = `<template>\n</template>\n<script setup>\nimport { colors } from 'content-space:tokens/brand'\nuse(colors.coral)\n</script>`
  expect(found(code, 'a.vue')).toEqual(['colors.coral:5'])
})
