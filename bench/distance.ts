import type { Socket } from 'node:net'
import { startRelay, type Relay } from '../test/remote/support/proxy.js'

/**
 * Forwards bytes to a port on this machine and back, with a delay in each direction.
 * @param milliseconds there and back
 * @param bits per second in each direction, which all connections share; by default, unlimited
 */
export function startDistance(port: number, milliseconds: number, bits = Infinity): Promise<Relay> {
  const there = createWay(milliseconds / 2, bits)
  const back = createWay(milliseconds / 2, bits)
  return startRelay(port, (client, target) => {
    for (const [from, to, pass] of [
      [client, target, there],
      [target, client, back],
    ] as const) {
      from.setNoDelay(true)
      from.on('error', () => to.destroy())
      from.on('data', (chunk) => pass(chunk, to))
      from.on('close', () => void setTimeout(() => to.destroy(), milliseconds))
    }
  })
}

/** Simulates one direction of a line. A chunk leaves after the chunks before it have left, and arrives later. */
function createWay(delay: number, bits: number): (chunk: Buffer, to: Socket) => void {
  let free = 0
  return (chunk, to) => {
    const now = performance.now()
    free = Math.max(free, now) + (chunk.length * 8000) / bits
    setTimeout(() => to.write(chunk), free - now + delay)
  }
}
