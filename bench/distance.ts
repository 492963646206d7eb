import type { Socket } from 'node:net'
import { startRelay, type Relay } from '../test/remote/support/proxy.js'

/**
 * Passes bytes to a port of this machine and back, each way with a delay.
 * @param milliseconds there and back
 * @param bits per second in each direction, which all connections share. Default: no limit
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

/** One direction of a line. A chunk leaves when those before it have left, and arrives later. */
function createWay(delay: number, bits: number): (chunk: Buffer, to: Socket) => void {
  let free = 0
  return (chunk, to) => {
    const now = performance.now()
    free = Math.max(free, now) + (chunk.length * 8000) / bits
    setTimeout(() => to.write(chunk), free - now + delay)
  }
}
