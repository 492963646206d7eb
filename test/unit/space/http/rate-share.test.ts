import { expect, test } from 'vitest'
import { openRateShare, type Grant, type SharedRate } from '../../../../src/space/http/rate-share.js'

const idle: Pick<SharedRate, 'pause' | 'giveBack'> = { pause: () => {}, giveBack: () => {} }
const rate = { requests: 100, window: 1000 }

test('takes a part of the rate at once, and waits only if it is used up', async () => {
  const asked: number[] = []
  const shared = {
    ...idle,
    async take(_: string, wanted: number): Promise<Grant> {
      asked.push(wanted)
      return { granted: Math.min(wanted, 4), wait: 700 }
    },
  }
  const share = openRateShare(shared, 'service', rate)
  expect(await share.take(3)).toEqual({ granted: 3, wait: 0, isShared: true })
  expect(await share.take(40)).toEqual({ granted: 4, wait: 700, isShared: true })
  expect(asked).toEqual([3, 10])
})

test.each<[string, Grant | undefined]>([
  ['nothing', undefined],
  ['more than was asked for', { granted: 1000, wait: 0 }],
  ['a negative number', { granted: -1, wait: 0 }],
  ['no number', { granted: Number.NaN, wait: 0 }],
  ['no time', { granted: 0, wait: Number.NaN }],
])('grants everything when the answer is %s', async (_, answer) => {
  const share = openRateShare({ ...idle, take: async () => answer }, 'service', rate)
  expect(await share.take(40)).toEqual({ granted: 40, wait: 0, isShared: false })
})

test("continues without a count that doesn't grant anything for long, and never waits longer than a window", async () => {
  let time = 0
  let asked = 0
  const take = async () => {
    asked++
    return { granted: 0, wait: 10 ** 12 }
  }
  const share = openRateShare({ ...idle, take }, 'service', rate, () => time)
  expect(await share.take(5)).toEqual({ granted: 0, wait: 1000, isShared: true })
  time = 2900
  expect((await share.take(5)).granted).toBe(0)
  time = 3000
  expect(await share.take(5)).toEqual({ granted: 5, wait: 0, isShared: false })
  expect(await share.take(5)).toEqual({ granted: 5, wait: 0, isShared: false })
  expect(asked).toBe(3)
})

test('grants everything without a count', async () => {
  expect(await openRateShare(undefined, 'service', rate).take(7)).toEqual({ granted: 7, wait: 0, isShared: false })
})
