import { Argument, CommanderError, Option } from 'commander'
import { ContentSpaceError, summaryAndHint } from '../errors.js'
import { didYouMean } from '../text/nearest.js'

/** Identifies errors of `usageError`. Commander prints its own errors itself. */
export const usageCode = 'content-space.usage'

/** Returns an error that is printed after `error: ` and ends the process with the exit code for wrong usage. */
export function usageError(message: string): CommanderError {
  return new CommanderError(2, usageCode, message)
}

/** Throws an error of this package as wrong usage, and any other error as it is. */
export function throwUsage(error: unknown): never {
  throw error instanceof ContentSpaceError ? usageError(summaryAndHint(error)) : error
}

/**
 * Returns a parser for the value of a flag or an argument.
 * @param name `--port`
 * @param expected completes the sentence: `a whole number from 0 to 65535`
 * @param read returns undefined for an invalid value
 */
export function parser<T>(name: string, expected: string, read: (text: string) => T | undefined): (text: string) => T {
  return (text) => {
    const value = read(text)
    if (value !== undefined) return value
    throw usageError(`${name} must be ${expected}, got '${text}'.`)
  }
}

/** Declares an option with a fixed set of values, which help and shell completion list. */
export function choiceOption(flags: string, description: string, values: readonly string[]): Option {
  const [name = ''] = flags.split(' ')
  return new Option(flags, description).choices(values).argParser(choiceParser(name, values))
}

/** Declares an argument with a fixed set of values, which help and shell completion list. */
export function choiceArgument(name: string, description: string, values: readonly string[]): Argument {
  return new Argument(name, description).choices(values).argParser(choiceParser(name, values))
}

export function choiceParser<T extends string>(name: string, values: readonly T[]): (text: string) => T {
  const expected = [values.slice(0, -1).join(', '), values.at(-1)].filter(Boolean).join(' or ')
  return (text) => {
    const value = values.find((one) => one === text)
    if (value !== undefined) return value
    const near = didYouMean(text, values)
    throw usageError(`${name} must be ${expected}, got '${text}'.${near && ` ${near}`}`)
  }
}

/** Returns a whole number from 0 to `maximum`; undefined for any other text. */
export function readInteger(text: string, maximum: number): number | undefined {
  return /^\d{1,9}$/.test(text) && Number(text) <= maximum ? Number(text) : undefined
}
