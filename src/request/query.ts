import { ContentSpaceError } from '../errors.js'
import { nearest } from '../text/nearest.js'
import { parameters, shorthands, type Parameter } from './parameters.js'

type Result = NonNullable<Values['as']>

type Key = keyof typeof parameters
type Values = { [K in Key]?: (typeof parameters)[K] extends Parameter<infer T> ? T : never }

/** A query, parsed once. Presets are already merged in; formats are in the order written, numbers ascend. */
export interface Query extends Omit<Values, 'as' | 'metadata'> {
  as: Result
  /** `metadata=full`: the whole record. */
  full: boolean
}

export interface QueryContext {
  /** Option `metadata: 'full'`. */
  full?: boolean
  /** Option `presets`: queries by name. */
  presets?: Readonly<Record<string, string>>
}

/**
 * @param text what stands behind the `?` of an id; `;` separates values
 * @throws ContentSpaceError `invalidQuery`, listing what is valid, nearest first
 */
export function parseQuery(text: string, { full = false, presets = {} }: QueryContext = {}): Query {
  const written = readPairs(text)
  const preset = written.get('preset')
  written.delete('preset')
  const pairs = new Map([...(preset === undefined ? [] : readPreset(preset, presets)), ...written])
  const read: Values = Object.fromEntries([...pairs].map(([key, value]) => [key, readValue(key, value)]))
  const { as = 'asset', metadata, ...values } = read
  const query: Query = { ...values, as, full: full || metadata === 'full' }
  checkSizes(query)
  return query
}

/**
 * The one spelling of a query: sorted keys, canonical values, nothing that is the default.
 * `parseQuery(formatQuery(query))` is the query.
 */
export function formatQuery({ as, full, ...rest }: Query): string {
  const values: Values = { ...rest, ...(as === 'asset' ? {} : { as }), ...(full ? { metadata: 'full' } : {}) }
  return Object.entries(parameters)
    .flatMap(([key, parameter]: [string, Parameter<unknown>]) => {
      const value = isKey(key) ? values[key] : undefined
      if (value === undefined) return []
      const written = parameter.write(value)
      return written.length === 0 ? key : `${key}=${written.join(';')}`
    })
    .join('&')
}

/** Shorthands are spelt out. */
function readPairs(text: string): Map<string, string> {
  const pairs = new Map<string, string>()
  for (const [written, value] of new URLSearchParams(text)) {
    const short = shorthands.find((shorthand) => shorthand === written)
    if (short && value !== '') throw invalid(`Query ${written} takes no value.`, `Write ${written}, or as=${written}.`)
    const key = short ? 'as' : written
    if (pairs.has(key)) throw invalid(`Query ${key} is given twice.`, 'Separate several values by a semicolon.')
    if (key !== 'preset' && !isKey(key)) throw unknownKey(key)
    pairs.set(key, short ?? value)
  }
  return pairs
}

function readPreset(name: string, presets: Readonly<Record<string, string>>): Map<string, string> {
  const text = Object.hasOwn(presets, name) ? presets[name] : undefined
  if (text === undefined) {
    const names = nearest(name, Object.keys(presets), Infinity)
    throw invalid(
      `There is no preset ${name}.`,
      names.length === 0 ? 'Option presets has none.' : `There are ${names.join(', ')}.`,
    )
  }
  const pairs = readPairs(text.replace(/^\?/, ''))
  if (pairs.has('preset'))
    throw invalid(`Preset ${name} names another preset.`, 'Write out the query that it stands for.')
  return pairs
}

function isKey(key: string): key is Key {
  return Object.hasOwn(parameters, key)
}

function unknownKey(key: string): ContentSpaceError {
  const words = new Map([...Object.keys(parameters), ...shorthands, 'preset'].map((name) => [name, name]))
  for (const [name, { synonyms }] of Object.entries(parameters)) for (const word of synonyms) words.set(word, name)
  const keys = nearest(key, words.keys(), Infinity).map((word) => words.get(word))
  return invalid(`There is no query ${key}.`, `Did you mean ${keys[0]}? There are ${[...new Set(keys)].join(', ')}.`)
}

function readValue(key: string, text: string): unknown {
  if (!isKey(key)) throw unknownKey(key)
  const parameter: Parameter<unknown> = parameters[key]
  const values = text.split(';')
  const value = parameter.read(values)
  if (value !== undefined) return value
  const wrong = values.find((item) => parameter.read([item]) === undefined) ?? text
  const near = nearest(wrong, parameter.choices, Infinity)
  const list = near.length === 0 ? '' : `Did you mean ${near[0]}? There are ${near.join(', ')}. `
  throw invalid(
    `Query ${key} cannot be ${wrong === '' ? 'empty' : wrong}.`,
    `${list}It takes ${parameter.takes.replaceAll('`', '')}.`,
  )
}

/** Rules between keys. */
function checkSizes({ w, h, dpr }: Query): void {
  if (w && h && w.length * h.length > 1) {
    throw invalid(
      'Queries w and h together take one value each.',
      'Several sizes need one of them alone, and dpr several densities of both.',
    )
  }
  if (dpr && (w ?? h)?.length !== 1)
    throw invalid('Query dpr needs one w or h.', 'Write the size at density 1: w=320&dpr=1;2.')
}

function invalid(message: string, hint: string): ContentSpaceError {
  return new ContentSpaceError('invalidQuery', message, { hint })
}
