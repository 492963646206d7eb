import { fork } from 'node:child_process'
import { once } from 'node:events'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { readLock } from '../../../src/lock/lockfile.js'
import type { LockedAsset } from '../../../src/lock/schema.js'
import { tempFolder } from '../../support/files.js'
import { lockOf } from '../../support/lock.js'

test('a lockfile contains the entries of eight simultaneous processes', async () => {
  const folder = await tempFolder()
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const path = join(folder, 'shared.json')
  const script = new URL('../../../build/lock/lockfile.js', import.meta.url).href
  const writers = Array.from({ length: 8 }, (_, index) => {
    const lock = lockOf({ [index]: { name: `n${index}`, slug: `n${index}` } })
    const code =
      `import { writeLock } from ${JSON.stringify(script)}\n` +
      `await writeLock(${JSON.stringify(path)}, ${JSON.stringify(lock)}, { kits: {} })`
    return fork('-', { execArgv: ['--input-type=module', '-e', code], stdio: 'inherit' })
  })
  const exits = await Promise.all(writers.map((writer) => once(writer, 'exit')))
  expect(exits.map(([code]: unknown[]) => code)).toEqual(Array.from({ length: 8 }, () => 0))
  const written: Record<number, LockedAsset> = {}
  for (let index = 0; index < 8; index += 1) written[index] = { name: `n${index}`, slug: `n${index}` }
  expect(await readLock(path)).toEqual(lockOf(written))
})
