import { appendFile, chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as v from 'valibot'
import { beforeEach, describe, expect, test } from 'vitest'
import { contentPath } from '../../../src/disk/cache-layout.js'
import { openDerived, type Derived } from '../../../src/disk/derived.js'
import { openStore } from '../../../src/files/store.js'

const text = { name: 'text', schema: v.string() }
const locked = { name: 'locked', schema: v.string(), locked: true }
const other = { name: 'other', schema: v.string() }

let cacheDir: string
let warnings: string[]
beforeEach(async () => {
  cacheDir = await mkdtemp(join(tmpdir(), 'content-space-cache-'))
  warnings = []
  return () => rm(cacheDir, { recursive: true, force: true })
})

const store = () => openStore(cacheDir, (message) => void warnings.push(message))
/** Opens what earlier runs have stored, as another process would. */
const open = (lock?: string): Promise<Derived> => openDerived(store(), 'key', lock)

describe('a value', () => {
  test('is found by its kind and its inputs, and made once', async () => {
    const first = await open()
    expect(await first.get(text, ['a', 1], async () => 'made')).toBe('made')
    await first.save()
    const next = await open()
    expect(await next.get(text, ['a', 1], async () => 'made again')).toBe('made')
    expect(next.find(text, ['a', 2])).toBeUndefined()
    expect(next.find(other, ['a', 1])).toBeUndefined()
  })

  test('that its kind does not accept is neither kept nor found', async () => {
    const first = await open()
    const even = { name: 'text', schema: v.pipe(v.number(), v.multipleOf(2)) }
    first.keep(even, [], 1)
    first.keep(text, [1], 'a text')
    await first.save()
    expect((await open()).find(even, [])).toBeUndefined()
    expect((await open()).find(even, [1])).toBeUndefined()
    expect((await open()).find(text, [1])).toBe('a text')
  })

  test('of a locked kind is found only with the lockfile that the run has left', async () => {
    const first = await open('before')
    first.keep(locked, [], 'value')
    await first.save(async () => 'after')
    expect((await open('after')).find(locked, [])).toBe('value')
    for (const lock of ['before', undefined]) expect((await open(lock)).find(locked, [])).toBeUndefined()
  })

  test('of a locked kind is not kept by a run whose results are not in the lockfile', async () => {
    const first = await open('before')
    first.keep(locked, [], 'value')
    first.keep(text, [], 'value')
    await first.save()
    expect((await open('before')).find(locked, [])).toBeUndefined()
    expect((await open('before')).find(text, [])).toBe('value')
  })
})

test('what another process has written meanwhile is kept', async () => {
  const [one, two] = [await open(), await open()]
  one.keep(text, [1], 'one')
  two.keep(text, [2], 'two')
  await one.save()
  await two.save()
  expect([1, 2].map((input) => one.find(text, [input]))).toEqual(['one', undefined])
  const next = await open()
  expect([1, 2].map((input) => next.find(text, [input]))).toEqual(['one', 'two'])
})

test('what no run uses is dropped after some others', async () => {
  for (let input = 0; input < 8; input++) {
    const run = await open()
    run.keep(text, [input], 'value')
    await run.save()
  }
  const found = Array.from({ length: 8 }, (_, input) => input)
  const last = await open()
  expect(found.filter((input) => last.find(text, [input]) !== undefined)).toEqual([4, 5, 6, 7])
})

test('a value that a run does not use is written once', async () => {
  for (let input = 0; input < 3; input++) {
    const run = await open()
    run.keep(text, [input], 'value')
    await run.save()
  }
  const written: [string][] = JSON.parse(await readFile(await pathOf(), 'utf8'))
  expect([written.length, new Set(written.map(([name]) => name)).size]).toEqual([3, 3])
})

test("a run that hasn't derived anything doesn't write anything", async () => {
  const first = await open('lock')
  first.keep(locked, [], 'value')
  await first.save(async () => 'lock')
  const path = await pathOf()
  await rm(path)
  await first.save(async () => 'lock')
  await expect(readFile(path)).rejects.toThrow('ENOENT')
})

async function pathOf(): Promise<string> {
  const info = await store().info('key')
  return contentPath(cacheDir, info?.integrity ?? '')
}

test.each<[string, string]>([
  ['no JSON', '['],
  ['no list', '{"a":1}'],
  ['a list of other things', '[["a",1],1]'],
  ['names that are no texts', '[[{},"forged"]]'],
])('an entry with %s has no values, and is replaced', async (_, forged) => {
  await store().put('key', Buffer.from(forged))
  const run = await open()
  expect(await run.get(text, [], async () => 'made')).toBe('made')
  await run.save()
  expect((await open()).find(text, [])).toBe('made')
})

test('a damaged entry is treated as empty and replaced', async () => {
  for (const damage of [(path: string) => appendFile(path, ' '), (path: string) => writeFile(path, '[]')]) {
    const run = await open()
    run.keep(text, [], 'value')
    await run.save()
    await damage(await pathOf())
    expect((await open()).find(text, [])).toBeUndefined()
  }
})

test("a cache that can't be written costs one warning but no values", async () => {
  await rm(cacheDir, { recursive: true })
  await writeFile(cacheDir, '')
  await chmod(cacheDir, 0o400)
  const run = await open()
  expect(await run.get(text, [], async () => 'made')).toBe('made')
  await run.save()
  expect(run.find(text, [])).toBe('made')
  expect(warnings).toEqual([expect.stringContaining('cannot be written')])
})
