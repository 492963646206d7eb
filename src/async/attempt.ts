/**
 * Returns the result of work, or undefined if it throws.
 * @param handle ignores an error or throws one; by default, every error is ignored
 */
export function attempt<T>(work: () => T, handle: (error: unknown) => undefined = () => undefined): T | undefined {
  try {
    return work()
  } catch (error) {
    return handle(error)
  }
}

/** Returns whether work ends without an error. Ignores the error. */
export function completes(work: () => void): boolean {
  const done = attempt(() => {
    work()
    return true
  })
  return done ?? false
}

export function succeeds(work: Promise<unknown>): Promise<boolean> {
  return work.then(
    () => true,
    () => false,
  )
}
