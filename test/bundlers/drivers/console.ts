import { vi } from 'vitest'

/** Records console output, for bundlers without a logger. */
export function listenToConsole(): { lines: string[]; stop(): void } {
  const lines: string[] = []
  const spy = vi.spyOn(console, 'info').mockImplementation((line: unknown) => void lines.push(String(line)))
  return { lines, stop: () => spy.mockRestore() }
}
