import { EventEmitter, once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { connectionError, readRetryAfter, serviceError } from '../../../../src/space/http/errors.js'
import { createRetry, type Attempts } from '../../../../src/space/http/retry.js'

/** Returns a clock whose pauses take real time. */
const clockOf = (now: () => number) => ({
  now,
  sleep: (milliseconds: number, signal: AbortSignal) => sleep(milliseconds, undefined, { signal }).catch(() => {}),
})

describe('a pause of all requests', () => {
  test('ends for an aborted request, without a busy loop until its regular end', async () => {
    let asked = 0
    // The clock stands still only for the first 1000 readings.
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
    // The shorter pause doesn't have an effect.
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

  test("in the past doesn't cause a wait", () => {
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
    await expect(retry.run(attempt, { signal: new AbortController().signal })).rejects.toMatchObject(expected)
    expect(attempts).toBe(1)
  },
)

const { signal } = new AbortController()
const refused = () =>
  connectionError(Object.assign(new Error('off'), { code: 'ECONNREFUSED' }), new URL('https://space.example'), {})

/** Opens retries whose clock advances only through `pass`. */
function opened() {
  let time = 0
  const now = () => time
  const pass = async (milliseconds: number): Promise<void> => void (time += milliseconds)
  return { retry: createRetry(() => {}, { now, sleep: pass }), pass, now }
}

describe('a request that fails', () => {
  test('is retried, no matter how long it has waited for its turn', async () => {
    const { retry, pass, now } = opened()
    const attempts: Attempts = { signal }
    let count = 0
    const attempt = async () => {
      if (++count === 1) await pass(300_000)
      attempts.sentAt = now()
      if (count < 3) throw refused()
      return 'received'
    }
    expect(await retry.run(attempt, attempts)).toBe('received')
    expect(count).toBe(3)
  })

  test('is retried if the host is unreachable after a long pause that it requested', async () => {
    const { retry, now } = opened()
    const attempts: Attempts = { signal }
    let count = 0
    const attempt = async () => {
      await retry.pause(signal)
      attempts.sentAt = now()
      attempts.retryAfter = ++count === 1 ? 60_000 : undefined
      if (count === 1) throw serviceError(429, '', {})
      if (count < 4) throw refused()
      return 'received'
    }
    expect(await retry.run(attempt, attempts)).toBe('received')
    expect([count, now() > 60_000]).toEqual([4, true])
  })

  test('is given up with the others when all have failed for as long', async () => {
    const { retry, pass, now } = opened()
    const other = new EventEmitter()
    const others = retry.run(() => once(other, 'end'), { signal })
    const sent: number[] = []
    const attempt = async () => {
      sent.push(now())
      await pass(6000)
      throw refused()
    }
    const run = () => retry.run(attempt, { signal, sentAt: now() })
    await expect(run()).rejects.toMatchObject({ code: 'unreachable' })
    expect(sent.length).toBeGreaterThan(1)
    sent.length = 0
    await expect(run()).rejects.toMatchObject({ summary: expect.stringContaining('tried once') })
    other.emit('end')
    await others
    await expect(run()).rejects.toMatchObject({ summary: expect.stringMatching(/tried [2-5] times/) })
  })
})
