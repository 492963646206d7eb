import { setTimeout as wait } from 'node:timers/promises'
import type { ServerResponse } from 'node:http'
import { failure, isServiceError, serviceErrors, type Response, type ServiceError } from './response.js'
import type { RouteName } from './routes.js'

/** What a fault does in place of an answer: an error of the interface, or what networks and proxies do. */
export type FaultKind = ServiceError | 'html' | 'cut' | 'stall'

export const faultKinds: readonly FaultKind[] = [...serviceErrors, 'html', 'cut', 'stall']

/** For tests of what stands behind the server. */
export interface Fault {
  with: FaultKind
  /** Which requests; default all. */
  on?: RouteName
  /** Every nth of them; default 1. */
  every?: number
  /** At most so many times; default without end. */
  times?: number
}

/** Tells which fault, if any, the next request of a route meets. */
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

/** @returns the answer to send; undefined when the fault has dealt with the response itself */
export async function applyFault(
  kind: FaultKind,
  response: ServerResponse,
  closed: AbortSignal,
): Promise<Response | undefined> {
  if (isServiceError(kind)) {
    return failure(kind, `A fault asked for: ${kind}.`, kind === 'rateLimited' ? { 'retry-after': '1' } : {})
  }
  if (kind === 'html') return badGateway
  if (kind === 'cut') {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': 1000 })
    response.write('{"success":true,', () => response.destroy())
    return undefined
  }
  // nothing comes, until one of the two gives up
  await wait(2 ** 31 - 1, undefined, { signal: closed, ref: false }).catch(() => undefined)
  response.destroy()
  return undefined
}
