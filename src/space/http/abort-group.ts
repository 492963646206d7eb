import { setMaxListeners } from 'node:events'

/** Requests that are aborted together. */
export interface AbortGroup {
  /** Returns a signal that is aborted with the group or with the given signal. */
  join(this: void, signal: AbortSignal | undefined): AbortSignal
  abort(this: void, reason: unknown): void
}

export function createAbortGroup(): AbortGroup {
  const group = new AbortController()
  // A caller uses one signal for many requests: they share the combined signal.
  const combined = new WeakMap<AbortSignal, AbortSignal>()
  // Each running request adds a listener. 0 turns off Node's warning about many listeners.
  setMaxListeners(0, group.signal)
  return {
    join(signal) {
      if (signal === undefined) return group.signal
      const either = combined.get(signal) ?? AbortSignal.any([group.signal, signal])
      setMaxListeners(0, either)
      combined.set(signal, either)
      return either
    },
    abort: (reason) => group.abort(reason),
  }
}
