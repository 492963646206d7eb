import { setTimeout as wait } from 'node:timers/promises'
import type { ServerResponse } from 'node:http'
import { codes } from '../../errors.js'
import { isKeyOf } from '../../text/keys.js'
import { failure, serviceErrors, statuses, type Response, type ServiceError } from './response.js'
import type { RouteName } from './routes.js'

/**
 * The replacement for the normal response: an error of the REST interface, a proxy's HTML page (`html`), a truncated
 * response (`cut`), or nothing (`stall`).
 */
export type FaultKind = ServiceError | 'html' | 'cut' | 'stall'

export const faultKinds: readonly FaultKind[] = [...serviceErrors, 'html', 'cut', 'stall']

/** Describes what a client receives, for `--help`. */
export function describeFault(kind: FaultKind): string {
  if (kind === 'html') return 'an HTML page with status 502, as proxies send it'
  if (kind === 'cut') return 'a response that ends too early'
  if (kind === 'stall') return 'no response, until the client gives up'
  const retry = kind === 'rateLimited' ? ', with Retry-After: 1' : ''
  return `error ${codes[kind].service}, status ${statuses[kind]}${retry}`
}

/** A simulated fault, to test clients of the server. */
export interface Fault {
  with: FaultKind
  /** The endpoint. Default: all. */
  on?: RouteName
  /** Affects every nth request. Default: 1. */
  every?: number
  /** The maximum number of times the fault occurs. Default: no limit. */
  times?: number
}

/** Creates a function that returns the fault, if any, for the next request of a route. */
export function createFaults(faults: readonly Fault[]): (route: RouteName | undefined) => FaultKind | undefined {
  const counters = faults.map((fault) => ({ fault, seen: 0, left: fault.times ?? Infinity }))
  return (route) => {
    const due = counters.filter((counter) => {
      const { on = route, every = 1 } = counter.fault
      if (on !== route) return false
      counter.seen++
      return counter.seen % every === 0 && counter.left > 0
    })
    const [counter] = due
    if (counter) counter.left--
    return counter?.fault.with
  }
}

const badGateway: Response = {
  status: 502,
  headers: { 'content-type': 'text/html' },
  body: Buffer.from('<!doctype html><title>502 Bad Gateway</title><h1>Bad Gateway</h1>'),
}

/** Applies a fault. @returns the response to send, or undefined if the connection was closed instead */
export async function applyFault(
  kind: FaultKind,
  response: ServerResponse,
  closed: AbortSignal,
): Promise<Response | undefined> {
  if (isKeyOf(statuses, kind)) {
    return failure(kind, `A simulated fault: ${kind}.`, kind === 'rateLimited' ? { 'retry-after': '1' } : {})
  }
  if (kind === 'html') return badGateway
  if (kind === 'cut') {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': 1000 })
    response.write('{"success":true,', () => response.destroy())
    return undefined
  }
  // Don't send anything until the client or the server closes the connection.
  await wait(2 ** 31 - 1, undefined, { signal: closed, ref: false }).catch(() => undefined)
  response.destroy()
  return undefined
}
