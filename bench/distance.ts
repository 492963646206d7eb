import { startRelay, type Relay } from '../test/remote/support/proxy.js'

/** Passes bytes to a port of this machine and back, each way with a delay. @param milliseconds there and back */
export function startDistance(port: number, milliseconds: number): Promise<Relay> {
  return startRelay(port, (client, target) => {
    for (const [from, to] of [
      [client, target],
      [target, client],
    ] as const) {
      from.setNoDelay(true)
      from.on('error', () => to.destroy())
      from.on('data', (chunk) => void setTimeout(() => to.write(chunk), milliseconds / 2))
      from.on('close', () => void setTimeout(() => to.destroy(), milliseconds))
    }
  })
}
