import * as v from 'valibot'
import { ContentSpaceError } from '../errors.js'
import { nearest } from '../text/nearest.js'
import type { Options } from './options.js'

/** What an option may be: its check, and how a message says it. */
type Check = readonly [v.GenericSchema, string]

/** The check of every option that there is. */
export type Checks<Name extends string = string> = Readonly<Record<Name, Check>>

export const text = v.pipe(v.string(), v.nonEmpty())
export const flag = v.boolean()
const positive = v.pipe(v.number(), v.finite(), v.gtValue(0))
const count = v.pipe(v.number(), v.safeInteger(), v.minValue(1))
const orFalse = <T extends v.GenericSchema>(schema: T) => v.union([schema, v.literal(false)])

/** Aliases stand in ids, so they hold nothing that ids are cut at. */
const alias = v.pipe(v.string(), v.regex(/^[^/?@#%\s~][^/?@#%\s]*$/))
const version = v.union([v.pipe(v.number(), v.safeInteger(), v.minValue(0)), v.picklist(['draft', 'use'])])

const options = {
  space: [text, 'an address or the path of a folder'],
  spaceId: [v.union([v.pipe(v.number(), v.safeInteger(), v.minValue(0)), text]), 'a number or a string'],
  token: [text, 'a string'],
  kits: [
    v.record(alias, v.union([text, v.strictObject({ kit: text, version: v.optional(version) })])),
    "an object of names without /, ?, @, # and spaces, with values '<uuid>' or { kit: '<uuid>', version: number | 'draft' | 'use' }",
  ],
  presets: [v.record(text, v.string()), 'an object of queries by name'],
  metadata: [v.picklist(['default', 'full']), "'default' or 'full'"],
  scan: [v.array(text), 'a list of globs'],
  types: [orFalse(text), 'a path or false'],
  lockfile: [orFalse(text), 'a path or false'],
  cacheDir: [text, 'a path'],
  frozen: [flag, 'true or false'],
  offline: [flag, 'true or false'],
  strict: [flag, 'true or false'],
  svg: [v.picklist(['sanitize', 'strict', 'trust']), "'sanitize', 'strict' or 'trust'"],
  publicPath: [v.string(), 'a string'],
  assetFileNames: [text, 'a pattern'],
  emitFiles: [flag, 'true or false'],
  refresh: [orFalse(positive), 'a number of seconds or false'],
  concurrency: [count, 'a whole number from 1'],
  rateLimit: [orFalse(v.strictObject({ requests: count, seconds: positive })), '{ requests, seconds } or false'],
  timeout: [positive, 'a number of milliseconds'],
  insecure: [flag, 'true or false'],
  onProgress: [v.function(), 'a function'],
} as const satisfies Checks<keyof Options>

/** Values that may hold a credential are never printed. */
const secret: ReadonlySet<string> = new Set<keyof Options>(['space', 'spaceId', 'token'])

/**
 * Checks options from outside, where types may have been ignored. Undefined is as good as absent.
 * @param where what to call them in the message: `the options`, or a configuration file's path
 * @throws ContentSpaceError `invalidOption` for the first that is unknown or ill-typed
 */
export function checkOptions(given: unknown, where: string): asserts given is Options {
  checkEach(given, options, where)
}

/**
 * The same, by checks of other options.
 * @param required names of those that must be there
 */
export function checkEach(given: unknown, checks: Checks, where: string, required: readonly string[] = []): void {
  if (typeof given !== 'object' || given === null || Array.isArray(given)) {
    throw new ContentSpaceError('invalidOption', `The options in ${where} are no object.`)
  }
  const absent = Object.fromEntries(required.map((name) => [name, undefined]))
  for (const [name, value] of Object.entries({ ...absent, ...given })) {
    const check = Object.hasOwn(checks, name) ? checks[name] : undefined
    if (check === undefined) throw unknownOption(name, where, Object.keys(checks))
    const [schema, expected] = check
    if ((value === undefined && !required.includes(name)) || v.is(schema, value)) continue
    const found = secret.has(name) ? '' : `, not ${JSON.stringify(value) ?? typeof value}`
    throw new ContentSpaceError('invalidOption', `Option ${name} in ${where} must be ${expected}${found}.`)
  }
}

function unknownOption(name: string, where: string, known: readonly string[]): ContentSpaceError {
  const names = nearest(name, known, Infinity)
  const hint = `Did you mean ${names[0]}? The options are ${names.join(', ')}.`
  return new ContentSpaceError('invalidOption', `There is no option ${name} (in ${where}).`, { hint })
}
