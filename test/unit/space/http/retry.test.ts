import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { connectionError, readRetryAfter } from '../../../../src/space/http/errors.js'
import { createRetry } from '../../../../src/space/http/retry.js'

/** A clock whose pauses take their time. */
const clockOf = (now: () => number) => ({
  now,
  sleep: (milliseconds: number, signal: AbortSignal) => sleep(milliseconds, undefined, { signal }).catch(() => {}),
})

describe('a pause of all requests', () => {
  test('ends for an aborted request, without a busy loop until its regular end', async () => {
    let asked = 0
    // The clock stands still for the first 1000 readings only.
    const retry = createRetry(
      () => {},
      clockOf(() => (++asked > 1000 ? 60_000 : 0)),
    )
    const call = new AbortController()
    retry.pauseFor(50_000)
    const paused = retry.pause(call.signal)
    call.abort(new Error('called off'))
    await expect(paused).rejects.toThrow('called off')
    expect(asked).toBeLessThan(10)
  })

  test('is reported', () => {
    const told: number[] = []
    const retry = createRetry(
      (milliseconds) => told.push(milliseconds),
      clockOf(() => 1000),
    )
    retry.pauseFor(14_000)
    // The shorter pause changes nothing.
    retry.pauseFor(2000)
    expect(told).toEqual([14_000, 14_000])
  })
})

/** Formats a date for an HTTP header. */
const at = (milliseconds: number) => new Date(Date.UTC(2026, 0, 1) + milliseconds).toUTCString()

describe('Retry-After as a date', () => {
  test.each([-3_600_000, 0, 3_600_000])(
    'is compared with the date of the answer, independent of the local clock (%i ms off)',
    (off) => {
      expect(readRetryAfter(at(7000 + off), at(off))).toBe(7000)
    },
  )

  test('in the past causes no wait', () => {
    expect(readRetryAfter(at(0), at(7000))).toBe(0)
  })
})

test.each(['CERT_HAS_EXPIRED', 'UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'DEPTH_ZERO_SELF_SIGNED_CERT'])(
  'an error of a certificate names the next step, and is not retried: %s',
  async (code) => {
    const retry = createRetry(() => {})
    let attempts = 0
    const attempt = async () => {
      attempts++
      throw connectionError(Object.assign(new Error('tls'), { code }), new URL('https://space.example'), {})
    }
    const expected = { code: 'unreachable', hint: expect.stringContaining('NODE_EXTRA_CA_CERTS') }
    await expect(retry.run(attempt, () => undefined, new AbortController().signal)).rejects.toMatchObject(expected)
    expect(attempts).toBe(1)
  },
)
