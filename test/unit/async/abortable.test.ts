import { setTimeout } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { abortable } from '../../../src/async/abortable.js'

test('many tasks wait with one signal, without a warning of Node', async () => {
  const warnings: Error[] = []
  const collect = (warning: Error) => void warnings.push(warning)
  process.on('warning', collect)
  const { signal } = new AbortController()
  const tasks = Array.from({ length: 40 }, (_, number) => abortable(setTimeout(1, number), signal))
  expect((await Promise.all(tasks)).length).toBe(40)
  process.off('warning', collect)
  expect(warnings).toEqual([])
})
