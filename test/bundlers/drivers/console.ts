import { vi } from 'vitest'

/** Hears what is said to people, for bundlers that have no logger of their own. */
export function listenToConsole(): { lines: string[]; stop(): void } {
  const lines: string[] = []
  const spy = vi.spyOn(console, 'info').mockImplementation((line: unknown) => void lines.push(String(line)))
  return { lines, stop: () => spy.mockRestore() }
}
