import type { SharedRate } from '../space/http/rate-share.js'
import type { Budget } from './budget.js'
import type { Connection } from './connection.js'
import { rateName } from './names.js'

/** Milliseconds. A longer pause is shared for this time: the runner that received it fails instead of waiting. */
const longestPause = 15 * 60_000

/**
 * Counts downloads at the engine. Without an answer, each machine counts its own.
 * @param budget the time to wait while others have all permits, or a pause. Values in the engine may be wrong.
 */
export function sharedRate(
  connection: Pick<Connection, 'ask' | 'tell' | 'isWritable'>,
  budget: Pick<Budget, 'begin' | 'isSpent'>,
): SharedRate {
  let refused = false
  let end: (() => void) | undefined
  return {
    async take(service, wanted, rate) {
      const grant =
        refused || budget.isSpent() || !connection.isWritable()
          ? undefined
          : await connection.ask(async (engine, call) =>
              // An engine may refuse scripts, and still be a good cache.
              engine.rate?.take(rateName(service), wanted, rate, call).catch(() => void (refused = true)),
            )
      if (grant?.granted === 0) end ??= budget.begin()
      else {
        end?.()
        end = undefined
      }
      return grant
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
