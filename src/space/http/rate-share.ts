/** Counts the downloads of several machines together. */
export interface SharedRate {
  /**
   * Takes permits.
   * @returns how many were granted, and the milliseconds until more are available; undefined if the shared counter is
   *   unavailable
   */
  take(this: void, key: string, wanted: number, rate: Rate): Promise<Grant | undefined>
  /** Gives back permits that this process took but didn't use. */
  giveBack(this: void, key: string, count: number): void
  pause(this: void, key: string, milliseconds: number): void
}

export interface Rate {
  requests: number
  window: number
}

export interface Grant {
  granted: number
  wait: number
}

/** The part of a rate that a process takes at once, so that other processes get some, too. */
const part = 0.1

/**
 * Number of windows. Without permits for this long, this process stops using the shared counter, because its values may
 * be wrong. The service still refuses requests above its limit.
 */
const patience = 3

/** Opens this process's share of the rate of all machines. */
export function openRateShare(shared: SharedRate | undefined, key: string, rate: Rate, now: () => number = Date.now) {
  let deniedSince: number | undefined
  let isOff = shared === undefined
  const batch = Math.max(1, Math.floor(rate.requests * part))

  async function ask(wanted: number): Promise<Grant | undefined> {
    const asked = Math.min(wanted, batch)
    const answer = await shared?.take(key, asked, rate)
    if (answer === undefined || !isGrant(answer, asked)) return undefined
    if (answer.granted > 0) deniedSince = undefined
    else deniedSince ??= now()
    return answer.granted === asked ? { ...answer, wait: 0 } : answer
  }

  return {
    /** Takes permits. Grants all if the shared counter is unavailable. */
    async take(wanted: number): Promise<Grant & { isShared: boolean }> {
      const answer = isOff || wanted === 0 ? undefined : await ask(wanted)
      isOff ||= deniedSince !== undefined && now() - deniedSince >= patience * rate.window
      if (answer === undefined || isOff) return { granted: wanted, wait: 0, isShared: false }
      return { granted: answer.granted, wait: Math.min(answer.wait, rate.window), isShared: true }
    },
    /** Gives back permits from grants with `isShared`. */
    giveBack: (count: number) => count > 0 && shared?.giveBack(key, count),
    pause: (milliseconds: number) => shared?.pause(key, milliseconds),
  }
}

function isGrant({ granted, wait }: Grant, wanted: number): boolean {
  return Number.isSafeInteger(granted) && granted >= 0 && granted <= wanted && Number.isFinite(wait) && wait >= 0
}
