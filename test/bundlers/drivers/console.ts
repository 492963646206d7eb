import { vi } from 'vitest'

/** Records console output, for bundlers without a logger. */
export function listenToConsole(): { lines: string[]; stop(): void } {
  const lines: string[] = []
  const record = (line: unknown): void => void lines.push(String(line))
  const spies = (['info', 'warn'] as const).map((method) => vi.spyOn(console, method).mockImplementation(record))
  return { lines, stop: () => spies.forEach((spy) => spy.mockRestore()) }
}
