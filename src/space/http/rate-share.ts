/** Counts the downloads of several machines together. */
export interface SharedRate {
  /**
   * Takes permits.
   * @returns how many there were, and the milliseconds until there are more; undefined if the count cannot be asked
   */
  take(this: void, key: string, wanted: number, rate: Rate): Promise<Grant | undefined>
  /** Gives back permits that this process took and didn't use. */
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

/** The part of a rate that a process takes at once, so that the others get some, too. */
const part = 0.1

/**
 * Windows. Values in the engine may be wrong, so this process stops using the count when it has received no permits for
 * so long. The service still refuses requests above its limit.
 */
const patience = 3

/** Opens the share of this process in the rate of all machines. */
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
    /** Takes permits. All are granted if the count cannot be asked. */
    async take(wanted: number): Promise<Grant & { isShared: boolean }> {
      const answer = isOff || wanted === 0 ? undefined : await ask(wanted)
      isOff ||= deniedSince !== undefined && now() - deniedSince >= patience * rate.window
      if (answer === undefined || isOff) return { granted: wanted, wait: 0, isShared: false }
      return { granted: answer.granted, wait: Math.min(answer.wait, rate.window), isShared: true }
    },
    /** Gives back permits of grants with `isShared`. */
    giveBack: (count: number) => count > 0 && shared?.giveBack(key, count),
    pause: (milliseconds: number) => shared?.pause(key, milliseconds),
  }
}

function isGrant({ granted, wait }: Grant, wanted: number): boolean {
  return Number.isSafeInteger(granted) && granted >= 0 && granted <= wanted && Number.isFinite(wait) && wait >= 0
}
