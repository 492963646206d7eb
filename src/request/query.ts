import { ContentSpaceError } from '../errors.js'
import { compareStrings } from '../text/compare.js'
import { didYouMean, nearest, similar } from '../text/nearest.js'
import { omitUndefined } from '../text/omit-undefined.js'
import { isRaster } from '../space/asset-type.js'
import { isKeyOf } from '../text/keys.js'
import { frameworkOf, type Framework } from './frameworks.js'
import { parameterOf, parameters, pixelKeys, shorthands, type Parameter, type Values } from './parameters.js'

/** `component` is replaced with a framework when a query is parsed. */
type ImportForm = Exclude<NonNullable<Values['as']>, 'component'>

/** A parsed query, including its presets. Formats keep the given order; numbers are ascending. */
export interface Query extends Omit<Values, 'as' | 'metadata'> {
  as: ImportForm
  /** `metadata=full`: the whole record. */
  full: boolean
}

export interface QueryContext {
  /** Option `metadata: 'full'`. */
  full?: boolean
  /** Option `presets`: queries by name. */
  presets?: Readonly<Record<string, string>>
  /**
   * Returns the framework that `as=component` stands for. Throws `invalidOption` if it is unknown.
   * @default throws
   */
  framework?: (this: void) => Framework
}

/**
 * Parses the query of an id.
 * @param text the part after `?`; values are separated with `;`
 * @throws ContentSpaceError `invalidQuery` with the valid keys or values, the nearest first
 */
export function parseQuery(text: string, context: QueryContext = {}): Query {
  const { full = false, presets = {}, framework = noFramework } = context
  const written = readPairs(text)
  const preset = written.get('preset')
  written.delete('preset')
  const pairs = new Map([...(preset === undefined ? [] : readPreset(preset, presets)), ...written])
  const read: Values = Object.fromEntries([...pairs].map(([key, value]) => [key, readQueryValue(key, value)]))
  const { as = 'asset', metadata, ...values } = read
  const query: Query = {
    ...values,
    as: as === 'component' ? framework() : as,
    full: full || metadata === 'full',
  }
  checkSizes(query)
  checkCurrentColor(query)
  checkDark(query)
  return query
}

function noFramework(): never {
  throw invalidQuery('The framework of as=component is unknown.', 'Write the framework, such as as=react.')
}

/**
 * Formats a query in its canonical form: sorted keys and canonical values, without defaults.
 * `parseQuery(formatQuery(query))` returns the same query.
 */
export function formatQuery({ as, full, ...rest }: Query): string {
  const values: Values = omitUndefined({
    ...rest,
    as: as === 'asset' ? undefined : as,
    metadata: full ? ('full' as const) : undefined,
  })
  return Object.entries(parameters)
    .flatMap(([key, parameter]: [string, Parameter<unknown>]) => {
      const value = isKeyOf(parameters, key) ? values[key] : undefined
      if (value === undefined) return []
      const written = parameter.write(value)
      return written.length === 0 ? key : `${key}=${written.join(';')}`
    })
    .join('&')
}

/** Splits a query into keys and values, with shorthands replaced by `as`. */
function readPairs(text: string): Map<string, string> {
  const pairs = new Map<string, string>()
  for (const [written, value] of new URLSearchParams(text)) {
    const short = shorthands.find((shorthand) => shorthand === written)
    if (short && value !== '')
      throw invalidQuery(`Query key ${written} does not take a value.`, `Write ${written} or as=${written}.`)
    const key = short ? 'as' : written
    if (pairs.has(key)) {
      throw invalidQuery(
        `Query key ${key} is given twice.`,
        'Write it once, and separate several values with semicolons.',
      )
    }
    if (key !== 'preset' && !isKeyOf(parameters, key)) throw unknownKey(key)
    pairs.set(key, short ?? value)
  }
  return pairs
}

function readPreset(name: string, presets: Readonly<Record<string, string>>): Map<string, string> {
  const text = Object.hasOwn(presets, name) ? presets[name] : undefined
  if (text === undefined) {
    const names = Object.keys(presets)
    const list = `The presets are ${nearest(name, names).join(', ')}.`
    const hint = names.length === 0 ? 'Option presets is empty.' : sentences(didYouMean(name, names), list)
    throw invalidQuery(`There is no preset ${name}.`, hint)
  }
  const pairs = readPairs(text.replace(/^\?/, ''))
  if (pairs.has('preset')) {
    throw invalidQuery(`Preset ${name} refers to another preset.`, 'Write the query of that preset instead.')
  }
  return pairs
}

/**
 * Checks the keys and values of a preset. Doesn't check how keys interact, because the import may add keys.
 * @param where the name of the configuration file, for messages
 * @throws ContentSpaceError `invalidOption` with the valid keys or values, the nearest first
 */
export function checkPreset(name: string, presets: Readonly<Record<string, string>>, where: string | undefined): void {
  try {
    for (const [key, value] of readPreset(name, presets)) readQueryValue(key, value)
  } catch (cause) {
    if (!(cause instanceof ContentSpaceError)) throw cause
    const place = where === undefined ? '' : ` in ${where}`
    const message = `Preset ${name}${place} is invalid. ${cause.summary}`
    throw new ContentSpaceError('invalidOption', message, omitUndefined({ hint: cause.hint }))
  }
}

function unknownKey(key: string): ContentSpaceError {
  const words = new Map([...Object.keys(parameters), ...shorthands, 'preset'].map((name) => [name, name]))
  for (const [name, { synonyms }] of Object.entries(parameters)) for (const word of synonyms) words.set(word, name)
  const keyOf = (word: string) => words.get(word) ?? word
  const likely = similar(key, words.keys()).map(keyOf)
  const sorted = [...new Set([...likely, ...[...words.values()].toSorted(compareStrings)])]
  const isForm = parameterOf('as').choices.includes(key)
  const [near] = isForm ? [`as=${key}`] : likely
  const question = near === undefined ? '' : `Did you mean ${near}?`
  return invalidQuery(`Unknown query key ${key}.`, sentences(question, `The keys are ${sorted.join(', ')}.`))
}

function readQueryValue(key: string, text: string): unknown {
  if (!isKeyOf(parameters, key)) throw unknownKey(key)
  const parameter = parameterOf(key)
  const values = text.split(';')
  const value = parameter.read(values)
  if (value !== undefined) return value
  const wrong = values.find((item) => parameter.read([item]) === undefined) ?? text
  const message = wrong === '' ? `Query key ${key} has no value.` : `Query key ${key} has the invalid value ${wrong}.`
  throw invalidQuery(message, valueHint(key, parameter, { text, wrong }))
}

/** @param text all values @param wrong the first invalid value */
function valueHint(key: string, parameter: Parameter<unknown>, { text, wrong }: { text: string; wrong: string }) {
  const separated = text.split(/[,;]/).map((item) => item.trim())
  if (parameter.read(separated) !== undefined) return `Separate values with semicolons: ${key}=${separated.join(';')}.`
  const { choices, examples = [], takes } = parameter
  const near = didYouMean(wrong, [...choices, ...examples])
  if (choices.length > 0) return sentences(near, `The values are ${nearest(wrong, choices).join(', ')}.`)
  return sentences(near, `${key} takes ${takes.replaceAll('`', '')}.`)
}

/** Checks how keys interact. */
function checkSizes({ w, h, dpr }: Query): void {
  if (w && h && w.length * h.length > 1) {
    const hint = 'For several sizes, use only one of them, or use dpr.'
    throw invalidQuery('Query keys w and h take one value each when both are given.', hint)
  }
  if (dpr && (w ?? h)?.length !== 1) {
    throw invalidQuery('Query key dpr needs one w or h.', 'Write the size at density 1: w=320&dpr=1;2.')
  }
}

/** Checks `currentcolor`. A picture that a page loads by URL doesn't inherit a color from the page. */
function checkCurrentColor(query: Query): void {
  if (query.currentcolor === undefined) return
  const { as, cut } = query
  if (as !== 'raw' && frameworkOf(as) === undefined) {
    throw invalidQuery(
      `Query key currentcolor has no effect with as=${as}: a picture loaded by URL does not inherit a color.`,
      'Use it with as=raw or as a component, such as as=react.',
    )
  }
  const isPicture = cut !== undefined && isRaster(cut.type) && !cut.orOriginal
  const key = isPicture ? 'cut' : (pixelKeys(query, false)[0] ?? (query.format && 'format'))
  if (key === undefined) return
  throw invalidQuery(
    `Query keys currentcolor and ${key} cannot be combined: a raster picture does not inherit a color.`,
    'Remove one of them.',
  )
}

/** Returns whether an import can have two files. A URL, a data URI or metadata always belongs to one asset. */
export function canBeDark({ as }: Query): boolean {
  return as !== 'url' && as !== 'inline' && as !== 'metadata'
}

function checkDark(query: Query): void {
  if (query.dark === undefined || canBeDark(query)) return
  const hint = 'Import the asset without as, with as=picture or as=raw, or as a component, such as as=react.'
  throw invalidQuery(`Query keys dark and as=${query.as} cannot be combined: such an import is of one asset.`, hint)
}

function sentences(...texts: string[]): string {
  return texts.filter(Boolean).join(' ')
}

function invalidQuery(message: string, hint: string): ContentSpaceError {
  return new ContentSpaceError('invalidQuery', message, { hint })
}
