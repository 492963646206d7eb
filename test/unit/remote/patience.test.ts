import { expect, test } from 'vitest'
import type { Clock } from '../../../src/async/clock.js'
import { openPatience } from '../../../src/remote/patience.js'
import { manualClock } from './support/manual-clock.js'

function opened() {
  const { clock, pass } = manualClock(50)
  const state = { spent: 0 }
  const patience = openPatience({ clock, limit: () => 2000, onSpent: () => void state.spent++ })
  return { patience, pass, state }
}

const forever = () => new Promise<never>(() => {})

test('ends after the limit without progress', () => {
  const { patience, pass, state } = opened()
  void patience.during(forever)
  pass(1950)
  expect(state.spent).toBe(0)
  pass(200)
  expect(state.spent).toBe(1)
})

test('sums pauses, and does not count short ones', () => {
  const { patience, pass, state } = opened()
  void patience.during(forever)
  for (let answer = 0; answer < 100; answer++) {
    pass(150)
    patience.answered()
  }
  expect(state.spent).toBe(0)
  for (let answer = 0; answer < 3; answer++) {
    pass(600)
    patience.answered()
  }
  expect(state.spent).toBe(0)
  pass(600)
  expect(state.spent).toBe(1)
})

test("doesn't give up on a busy engine that answers many requests after each pause", () => {
  const { patience, pass, state } = opened()
  void patience.during(forever)
  for (let burst = 0; burst < 100; burst++) {
    pass(1000)
    for (let answer = 0; answer < 10; answer++) patience.answered()
  }
  expect(state.spent).toBe(0)
  pass(2200)
  expect(state.spent).toBe(1)
})

test('ends when the engine keeps the process busy without an answer', () => {
  const { clock, pass } = manualClock(50)
  const state = { spent: 0 }
  const never: Clock = { ...clock, waited: () => 0 }
  const patience = openPatience({ clock: never, limit: () => 2000, onSpent: () => void state.spent++ })
  void patience.during(forever)
  pass(5900)
  patience.answered()
  pass(5900)
  expect(state.spent).toBe(0)
  pass(200)
  expect(state.spent).toBe(1)
})

test('counts only while somebody waits', async () => {
  const { patience, pass, state } = opened()
  await patience.during(async () => {})
  pass(10_000)
  expect(state.spent).toBe(0)
})

test("doesn't count single bytes as progress, but counts many", () => {
  const { patience, pass, state } = opened()
  void patience.during(forever)
  for (let chunk = 0; chunk < 100; chunk++) {
    pass(150)
    patience.bytes(16 * 1024)
  }
  expect(state.spent).toBe(0)
  for (let chunk = 0; chunk < 25; chunk++) {
    pass(100)
    patience.bytes(1)
  }
  expect(state.spent).toBe(1)
})
