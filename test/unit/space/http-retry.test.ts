import { describe, expect, it } from 'vitest'
import { createRetry } from '../../../src/space/http-retry.js'

describe('a pause of all', () => {
  it('is over for whoever is called off, and nothing spins until it would have ended', async () => {
    let asked = 0
    // The clock stands still, but not for ever.
    const retry = createRetry(() => {}, () => (++asked > 1000 ? 60_000 : 0))
    const call = new AbortController()
    retry.pauseFor(50_000)
    const paused = retry.pause(call.signal)
    call.abort(new Error('called off'))
    await expect(paused).rejects.toThrow('called off')
    expect(asked).toBeLessThan(10)
  })

  it('is told of', () => {
    const told: number[] = []
    const retry = createRetry((milliseconds) => told.push(milliseconds), () => 1000)
    retry.pauseFor(14_000)
    // The shorter one changes nothing.
    retry.pauseFor(2000)
    expect(told).toEqual([14_000, 14_000])
  })
})
