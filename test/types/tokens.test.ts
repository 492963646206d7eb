import { rm } from 'node:fs/promises'
import { expect, onTestFinished, test } from 'vitest'
import { ts } from '../../src/tokens/formats/ts.js'
import { id } from '../support/memory-space.js'
import { colorToken, tokenSheet } from '../support/tokens.js'
import { check, project } from './tsc.js'

const uses = `import { colors } from './tokens.js'
export const css: '#e5603f' = colors._100.css
export const slug: 'then' = colors._then.slug
export const former: 'then' = colors._former_.slug
export const notes: string = colors._100.notes
// @ts-expect-error its value is not exact
export const number: number = colors._100.notes
// @ts-expect-error there is no such color
export const missing = colors.missing
export const keys: Record<keyof typeof colors, 1> = { _100: 1, _then: 1, _former_: 1 }
`

test.each(['TypeScript 5.9', 'TypeScript 7'] as const)('%s knows each key of a file of tokens', async (compiler) => {
  const colors = {
    _100: colorToken('100', { notes: '__VITE_ASSET__abc__' }),
    _then: colorToken('then', { uuid: id(2) }),
  }
  const folder = await project({
    'tokens.ts': ts(tokenSheet(colors, {}, { former: new Map([[id(2), ['_former_']]]) })),
    'uses.ts': uses,
  })
  onTestFinished(() => rm(folder, { recursive: true }))
  expect(await check(folder, compiler, 'nodenext')).toEqual([])
})
