import type { SharedRate } from '../space/http/rate-share.js'
import type { Connection } from './connection.js'
import { rateName } from './names.js'

/** Milliseconds. A longer pause is not shared: the runner that received it fails instead of waiting. */
const longestPause = 15 * 60_000

/** Counts downloads at the engine. Without an answer, each machine counts its own. */
export function sharedRate(connection: Pick<Connection, 'ask' | 'tell' | 'isWritable'>): SharedRate {
  let refused = false
  return {
    async take(service, wanted, rate) {
      if (refused || !connection.isWritable()) return undefined
      return connection.ask(async (engine, call) =>
        // An engine may refuse scripts, and still be a good cache.
        engine.rate?.take(rateName(service), wanted, rate, call).catch(() => void (refused = true)),
      )
    },
    pause(service, milliseconds) {
      const length = Math.min(Math.ceil(milliseconds), longestPause)
      if (length <= 0) return
      void connection.tell(async (engine, call) =>
        engine.rate?.pause(rateName(service), length, call).catch(() => undefined),
      )
    },
  }
}
