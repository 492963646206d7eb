import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'

/** Returns a port of 127.0.0.1 that no server listens on. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a server that listens on a port has such an address
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}
