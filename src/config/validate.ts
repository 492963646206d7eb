import * as v from 'valibot'
import { ContentSpaceError } from '../errors.js'
import { frameworks } from '../request/frameworks.js'
import { checkPreset } from '../request/query.js'
import { didYouMean, nearest, similar } from '../text/nearest.js'
import type { Options } from './options.js'
import { findings } from './findings.js'
import { tokenFormats } from './token-files.js'

type Check = readonly [v.GenericSchema, string]

export type Checks<Name extends string = string> = Readonly<Record<Name, Check>>

/**
 * The location of an option for messages: a string, or a function of the option's path, such as `kits.brand.version`.
 */
type Where = string | ((option: string) => string)

/** Checks for options that several commands share. */
export const flag = [v.boolean(), 'true or false'] as const
export const callback = [v.function(), 'a function'] as const
export const abortSignal = [v.instance(AbortSignal), 'an AbortSignal'] as const

export const text = v.pipe(v.string(), v.nonEmpty())
const positive = v.pipe(v.number(), v.finite(), v.gtValue(0))
const count = v.pipe(v.number(), v.safeInteger(), v.minValue(1))
const orFalse = <T extends v.GenericSchema>(schema: T) => v.union([schema, v.literal(false)])

/** An object with checked keys and values. Valibot alone would also accept an array. */
const record = <T extends v.GenericSchema>(key: v.GenericSchema<string>, value: T) =>
  v.pipe(
    v.custom<object>((given) => !Array.isArray(given)),
    v.record(key, value),
  )

const webAddress = v.pipe(v.string(), v.url(), v.regex(/^https?:\/\//i))

/** Aliases are parts of ids, so they must not contain separators of ids. */
const alias = v.pipe(v.string(), v.regex(/^[^/?@#%\s~][^/?@#%\s]*$/))
/** `version` of a kit, which has at most 15 digits, as in ids and in the lockfile. */
export const versionOption = v.union([
  v.pipe(v.number(), v.safeInteger(), v.minValue(0), v.maxValue(1e15 - 1)),
  v.picklist(['draft', 'use']),
])

const tokenFile = v.strictObject({
  kit: text,
  file: text,
  format: v.optional(v.picklist(tokenFormats)),
  prefix: v.optional(v.string()),
  fonts: v.optional(text),
  dark: v.optional(text),
})
const names = record(text, v.string())
const idOption = v.union([v.pipe(v.number(), v.safeInteger(), v.minValue(0)), text])
const source = v.strictObject({ space: v.optional(text), spaceId: v.optional(idOption), token: v.optional(text) })
const method = v.function()
const sourceObject = v.looseObject({
  name: v.pipe(text, v.maxLength(100), v.regex(/^[^:\p{Cc}\p{Zl}\p{Zp}]+$/u)),
  revision: v.optional(method),
  list: method,
  read: method,
  watch: v.optional(method),
})
const kitOption = v.strictObject({
  kit: v.optional(text),
  source: v.optional(v.lazy((given) => (isSourceObject(given) ? sourceObject : v.union([text, source])))),
  version: v.optional(versionOption),
  names: v.optional(names),
  dark: v.optional(names),
  darkPattern: v.optional(v.pipe(text, v.includes('{name}'))),
})

const options = {
  space: [text, 'a URL or the path of a folder'],
  spaceId: [idOption, 'a number or a string'],
  token: [text, 'a string'],
  kits: [
    record(alias, v.union([text, kitOption])),
    "an object of aliases (without /, ?, @, #, % and spaces), with the values '<kit>' or " +
      "{ kit: '<kit>', source, version, names, dark, darkPattern }, where source is the path of a folder, " +
      "{ space, spaceId, token } or { name, list, read }, version is a number, 'draft' or 'use', names has a " +
      'name for uuids or slugs of assets, dark another asset for them, and darkPattern contains {name}',
  ],
  tokens: [
    v.array(tokenFile),
    `an array of { kit, file, format?, prefix?, fonts?, dark? }, where format is ${tokenFormats.join(', ')}`,
  ],
  presets: [record(text, v.string()), 'an object of queries by name'],
  components: [v.picklist(frameworks), `one of ${frameworks.map((name) => `'${name}'`).join(', ')}`],
  darkMode: [
    v.union([v.literal('media'), v.pipe(text, v.regex(/^(?:\.[\w-]+|\[[\w-]+(?:=(?:[\w-]+|"[\w-]+"))?\])$/))]),
    "'media', a class or an attribute, such as '.dark' and '[data-theme=dark]'",
  ],
  metadata: [v.picklist(['default', 'full']), "'default' or 'full'"],
  scan: [v.array(text), 'an array of globs'],
  types: [
    orFalse(v.union([text, v.strictObject({ file: v.optional(text), previews: v.optional(v.boolean()) })])),
    'a path, false or { file, previews }',
  ],
  lockfile: [orFalse(text), 'a path or false'],
  cacheDir: [text, 'a path'],
  frozen: flag,
  offline: flag,
  strict: flag,
  jestPaths: flag,
  svg: [v.picklist(['sanitize', 'strict', 'trust']), "'sanitize', 'strict' or 'trust'"],
  publicPath: [v.string(), 'a string'],
  siteUrl: [webAddress, "an http or https address, such as 'https://www.example.com/'"],
  assetFileNames: [text, 'a pattern'],
  emitFiles: flag,
  refresh: [orFalse(positive), 'a number of seconds or false'],
  concurrency: [count, 'a whole number of at least 1'],
  rateLimit: [orFalse(v.strictObject({ requests: count, seconds: positive })), '{ requests, seconds } or false'],
  timeout: [positive, 'a number of milliseconds'],
  insecure: flag,
  addresses: [v.picklist(['plain', 'signed']), "'plain' or 'signed'"],
  audit: [
    v.strictObject({ ignore: v.optional(v.array(text)), failOn: v.optional(v.array(v.picklist(findings))) }),
    '{ ignore, failOn }, where ignore is an array of globs and slugs of assets, and failOn an array of ' +
      findings.join(', '),
  ],
  remote: [orFalse(text), 'an address such as redis://host:6379, s3://bucket/prefix or https://host/path/, or false'],
  remoteWrite: flag,
  remoteKey: [text, 'a string'],
  remotePublicKey: [text, 'a string'],
  onProgress: callback,
} as const satisfies Checks<keyof Options>

/**
 * Options that may contain credentials, and names that people might use for them instead. Their values are never
 * printed.
 */
const secret = /^(?:space|spaceId|remote)$|token|secret|password|credential|key(?!word)/i

/**
 * Checks options that untyped code passes. Undefined options count as absent.
 * @param where absent for inline options
 * @throws ContentSpaceError `invalidOption` for the first unknown or invalid option
 */
export function checkOptions(given: unknown, where?: Where): asserts given is Options {
  checkEach(given, options, where)
  const { presets = {} }: Options = Object(given)
  for (const name of Object.keys(presets)) checkPreset(name, presets, nameOfOption(where, `presets.${name}`))
}

/**
 * Checks options by a table of checks. Throws the same errors as `checkOptions`.
 * @param required names of required options
 */
export function checkEach(given: unknown, checks: Checks, where?: Where, required: readonly string[] = []): void {
  const placeOf = (option: string): string => (where === undefined ? '' : ` in ${nameOfOption(where, option)}`)
  if (typeof given !== 'object' || given === null || Array.isArray(given)) {
    const found = typeof given === 'string' ? 'a string' : formatValue(given)
    throw new ContentSpaceError('invalidOption', `The options${placeOf('')} must be an object, not ${found}.`)
  }
  // Report an unknown option before a missing one, because the hint suggests the intended option.
  for (const name of new Set([...Object.keys(given), ...required])) {
    const value: unknown = Reflect.get(given, name)
    const check = Object.hasOwn(checks, name) ? checks[name] : undefined
    if (check === undefined) throw unknownOption(name, placeOf(name), Object.keys(checks))
    const [schema, expected] = check
    if ((value === undefined && !required.includes(name)) || v.is(schema, value)) continue
    const problem = value === undefined ? 'is missing. It must be' : 'must be'
    const { issues = [] } = v.safeParse(schema, value)
    const unknown = keyWith(isUnknown, issues)
    if (unknown !== undefined) {
      const keys = /\{.*?\}/.exec(expected)?.[0].match(/\w+/g) ?? []
      throw unknownOption(`${name}.${unknown}`, placeOf(`${name}.${unknown}`), [...new Set(keys)])
    }
    const absent = keyWith(isAbsent, issues)
    if (absent !== undefined) {
      const hint = 'A source has a name, list() and read(): docs/sources.md shows examples.'
      throw new ContentSpaceError('invalidOption', `Option ${name}.${absent}${placeOf(name)} is missing.`, { hint })
    }
    const word = issues.find(({ type }) => type === 'picklist')?.input
    const hint = didYouMean(typeof word === 'string' ? word : '', expected.match(/\w+/g) ?? [])
    const found = value === undefined || secret.test(name) ? '' : `, not ${formatValue(value)}`
    const summary = `Option ${name}${placeOf(name)} ${problem} ${expected}${found}.`
    throw new ContentSpaceError('invalidOption', summary, { hint })
  }
}

/** An object with a method is an incomplete source, rather than a service with unknown options. */
function isSourceObject(given: unknown): boolean {
  const methods = ['revision', 'list', 'read', 'watch']
  return typeof given === 'object' && given !== null && methods.some((name) => v.is(method, Reflect.get(given, name)))
}

type Issue = v.BaseIssue<unknown>

/** Returns the first key with the issue within an option's value, such as `brand.verison`. */
function keyWith(
  isWrong: (issue: Issue) => boolean,
  issues: readonly Issue[],
  above: readonly string[] = [],
): string | undefined {
  for (const issue of issues) {
    const path = [...above, ...[v.getDotPath(issue) ?? []].flat()]
    const found = isWrong(issue) ? path.join('.') : keyWith(isWrong, issue.issues ?? [], path)
    if (found !== undefined) return found
  }
  return undefined
}

/** Returns whether the issue is a key that the object must not have. */
const isUnknown = ({ expected }: Issue): boolean => expected === 'never'

/** Returns whether the issue is a source without its name or a method. */
const isAbsent = ({ type, received }: Issue): boolean => type === 'loose_object' && received === 'undefined'

/** Formats a value. Only names the type of an object, because its values may include a misplaced token. */
function formatValue(value: unknown): string {
  const shown = JSON.stringify(value) ?? typeof value
  if (typeof value !== 'object' || value === null || shown === '[]' || shown === '{}') return shown
  return Array.isArray(value) ? 'an array' : 'an object'
}

/** @param known the options, or the keys of an option */
function unknownOption(path: string, place: string, known: readonly string[]): ContentSpaceError {
  const name = path.split('.').at(-1) ?? path
  const near = similar(name, known)
  const others = known.length <= 10 ? `The options are ${nearest(name, known).join(', ')}.` : seeDocs
  const hint = near.length > 0 ? `Did you mean ${near.join(', ')}?` : others
  return new ContentSpaceError('invalidOption', `Unknown option ${path}${place}.`, { hint })
}

const seeDocs = 'docs/options.md describes all options.'

function nameOfOption(where: Where | undefined, option: string): string | undefined {
  return typeof where === 'function' ? where(option) : where
}
