import { resolvePeer } from '../disk/peer.js'
import type { RemoteAddress } from './address.js'
import type { RemoteEngine } from './engine.js'

/** The package that each kind of address needs. undici is a dependency of this package. */
const packages: Readonly<Record<RemoteAddress['kind'], string | undefined>> = {
  redis: 'redis',
  s3: '@aws-sdk/client-s3',
  http: undefined,
}

/**
 * Connects to an engine. Its client is loaded only then.
 * @param signal ends the attempt
 * @param onFailure called when the connection cannot be used any more
 */
export async function openEngine(
  address: RemoteAddress,
  signal: AbortSignal,
  onFailure: (error: Error) => void,
): Promise<RemoteEngine> {
  if (address.kind === 'redis') return (await import('./engines/redis.js')).redisEngine(address, signal, onFailure)
  if (address.kind === 's3') return (await import('./engines/s3.js')).s3Engine(address)
  return (await import('./engines/http.js')).httpEngine(address)
}

/**
 * Checks that the package for an address is installed, without loading it.
 * @throws ContentSpaceError `invalidOption`
 */
export function checkEnginePackage({ kind, label }: RemoteAddress): void {
  const name = packages[kind]
  if (name !== undefined) resolvePeer(name, `The remote cache at ${label}`)
}
