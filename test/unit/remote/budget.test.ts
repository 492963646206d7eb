import { expect, test } from 'vitest'
import { openBudget } from '../../../src/remote/budget.js'
import { manualClock } from './support/manual-clock.js'

function opened() {
  const { clock, pass } = manualClock(100)
  const ended = new AbortController()
  const state = { spent: 0 }
  const { signal } = ended
  const budget = openBudget({ clock, limit: 1000, signal, onSpent: () => void state.spent++ })
  return { budget, pass, state, ended }
}

test('adds up waits, counting concurrent ones once', async () => {
  const { budget, pass, state } = opened()
  const ends = [budget.begin(), budget.begin()]
  pass(600)
  for (const end of ends) end()
  pass(5000)
  expect(budget.isSpent()).toBe(false)
  budget.begin()
  pass(300)
  expect(budget.isSpent()).toBe(false)
  pass(100)
  expect([budget.isSpent(), state.spent]).toEqual([true, 1])
  await budget.spent
  budget.begin()
  pass(5000)
  expect(state.spent).toBe(1)
})

test('does not count while this run works', () => {
  const { budget, pass } = opened()
  let isWorking = true
  budget.begin(() => isWorking)
  pass(5000)
  expect(budget.isSpent()).toBe(false)
  isWorking = false
  pass(1000)
  expect(budget.isSpent()).toBe(true)
})

test("doesn't count anything after its end", () => {
  const { budget, pass, ended } = opened()
  budget.begin()
  ended.abort()
  pass(5000)
  expect(budget.isSpent()).toBe(false)
})
