import { rm } from 'node:fs/promises'
import { transform } from 'esbuild'
import { fc } from '../support/random.js'
import { parseSync } from 'oxc-parser'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { nameAssets } from '../../src/kit/names.js'
import { hostileTexts } from '../support/hostile-texts.js'
import { uuid } from '../support/lock.js'
import { check, project } from './tsc.js'

/**
 * One letter from each block of 64 code points, which covers every script and every version of Unicode, and random
 * names.
 */
const blocks = Array.from({ length: 0x34000 / 64 }, (_, block) => String.fromCodePoint(block * 64 + 31))
const random = fc.sample(fc.string({ unit: 'binary', minLength: 1 }), { numRuns: 1000, seed: 7 })
const texts = [...blocks, ...blocks.map((letter) => `a ${letter}`), ...random, ...hostileTexts]
const names = [...nameAssets(texts.map((name, at) => ({ uuid: uuid(at), name, type: 'SVG' }))).values()].map(
  ({ name }) => name,
)
const code = names.map((name) => `export const ${name} = 1\n`).join('')

let folder: string
beforeAll(async () => {
  folder = await project({ 'names.ts': code })
})
afterAll(() => rm(folder, { recursive: true, force: true }))

describe('names of assets are identifiers', () => {
  test.each(['TypeScript 5.9', 'TypeScript 7'] as const)('for %s', async (compiler) => {
    expect(new Set(names).size).toBe(texts.length)
    expect(await check(folder, compiler, 'bundler')).toEqual([])
  })

  test('for esbuild and oxc', async () => {
    expect((await transform(code, { loader: 'ts' })).warnings).toEqual([])
    expect(parseSync('names.ts', code).errors).toEqual([])
  })
})
