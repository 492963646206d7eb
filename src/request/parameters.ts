import colorNames from 'color-name'
import type { Sharp } from 'sharp'
import { canonicalType } from '../space/asset-type.js'
import { canonicalName } from '../space/short-id.js'
import { keysOf } from '../text/keys.js'
import { frameworks } from './frameworks.js'

/** The forms of an asset import: `as=…` in a query. `component` stands for the framework of the project. */
export const importForms = ['asset', 'url', 'raw', 'inline', 'picture', 'metadata', 'component', ...frameworks] as const

/** Formats of `format=…`. `original` is the format of the original, or the file itself if nothing else changes it. */
export const pictureFormats = ['avif', 'webp', 'png', 'jpg', 'gif', 'original'] as const

export const fits = ['cover', 'contain', 'fill', 'inside', 'outside'] as const

const positions =
  'centre top right-top right right-bottom bottom left-bottom left left-top ' +
  'north northeast east southeast south southwest west northwest entropy attention'

/** CSS color names. sharp accepts all of them. */
const colors = ['transparent', ...Object.keys(colorNames)]

/**
 * A conversion step that runs after a picture is resized. We write it as a method, because the parameters of methods
 * are bivariant, so one table can contain steps for values of different types.
 */
type Step<T> = { step(picture: Sharp, value: T): Sharp }['step']

/** The effect of a key: a step, the module of `src/files` that applies it, or the folder `modules`. */
type Effect<T> = Step<T> | 'plan' | 'sizes' | 'convert' | 'svg' | 'modules'

/** A key of a query: its valid values, how they are parsed and formatted, and what it does. */
export interface Parameter<T, E = Effect<T>> {
  /** Describes the valid values, for messages and the documentation. */
  takes: string
  /** All valid values if there is a fixed list of them; otherwise empty. */
  choices: readonly string[]
  /** Frequent values, for suggestions. */
  examples?: readonly string[]
  /** Names of the key in other tools, for suggestions. */
  synonyms: readonly string[]
  /** Describes the effect, for the documentation. */
  meaning: string
  apply: E
  /** Whether the key requires a conversion to pixels, even without `format`. `raster`: only for a raster file. */
  changesPixels: boolean | 'raster'
  /** Whether several values may be given. */
  isList?: true
  /** @returns undefined for invalid values */
  read(values: readonly string[]): T | undefined
  /** Returns the canonical values; an empty list for a flag. */
  write(value: T): readonly string[]
}

export interface Kind<T> extends Pick<Parameter<T>, 'takes' | 'choices' | 'examples'> {
  read(value: string): T | undefined
  write(value: T): string
}

/** @param normalize maps other spellings of a value to one of the choices */
export function choice<const T extends string>(
  choices: readonly T[],
  normalize: (value: string) => string = (value) => value,
): Kind<T> {
  return {
    takes: `${choices.length > 1 ? 'one of ' : ''}${choices.map((value) => `\`${value}\``).join(', ')}`,
    choices,
    read: (value) => choices.find((known) => known === normalize(value.toLowerCase())),
    write: (value) => value,
  }
}

/** @param step 0 allows any fraction */
export function number(takes: string, min: number, max: number, step = 1): Kind<number> {
  return {
    takes: `${takes} from ${min} to ${max}`,
    choices: [],
    read(value) {
      const result = Number(value)
      const isValid = /^-?(\d+\.?\d*|\.\d+)$/.test(value) && result >= min && result <= max
      return isValid && (step === 0 || Number.isInteger(result / step)) ? result : undefined
    },
    write: String,
  }
}

export const color: Kind<string> = {
  takes: 'a hexadecimal color (`fff`, `ffffff80`) or a CSS color name (`tomato`, `transparent`)',
  choices: [],
  examples: colors,
  read(value) {
    const name = value.toLowerCase().replace(/^#/, '')
    if (/^([\da-f]{3,4}|[\da-f]{6}|[\da-f]{8})$/.test(name)) return `#${name}`
    return colors.find((known) => known === value.toLowerCase())
  },
  write: (value) => value.replace(/^#/, ''),
}

type Row<E> = Pick<Parameter<unknown, E>, 'meaning' | 'apply'> &
  Partial<Pick<Parameter<unknown>, 'synonyms' | 'changesPixels'>>

const defaults = { synonyms: [], changesPixels: false } as const

/** Defines a key with one value. */
function one<T, const E extends Effect<T>>(kind: Kind<T>, row: Row<E>): Parameter<T, E> {
  return {
    ...kind,
    ...defaults,
    ...row,
    read: ([value = '', ...rest]) => (rest.length === 0 ? kind.read(value) : undefined),
    write: (value) => [kind.write(value)],
  }
}

/**
 * Defines a key with one or more values, which are deduplicated.
 * @param compare default: the values stay in the given order
 */
function several<T, const E extends Effect<T[]>>(
  kind: Kind<T>,
  row: Row<E>,
  compare?: (a: T, b: T) => number,
): Parameter<T[], E> {
  return {
    ...kind,
    ...defaults,
    ...row,
    takes: `${kind.takes}; one or more`,
    isList: true,
    read(values) {
      const read = [...new Set(values.flatMap((value) => kind.read(value) ?? []))]
      return read.length < new Set(values).size ? undefined : compare ? read.toSorted(compare) : read
    },
    write: (value) => value.map((item) => kind.write(item)),
  }
}

/** Defines a key without a value. */
function flag<const E extends Effect<true>>(row: Row<E>): Parameter<true, E> {
  return {
    takes: 'no value',
    choices: [],
    ...defaults,
    ...row,
    read: ([value = '', ...rest]) => (rest.length === 0 && (value === '' || value === 'true') ? true : undefined),
    write: () => [],
  }
}

/** The name of an asset of the same kit. */
const asset: Kind<string> = {
  takes: 'the slug, uuid or short id of an asset of the same kit',
  choices: [],
  read: (value) => (value === '' ? undefined : canonicalName(value)),
  write: (value) => value,
}

const ascending = (a: number, b: number) => a - b
const pixels = number('a whole number of pixels', 1, 16_383)
const side = (name: 'width' | 'height') => {
  const meaning = `${name} in pixels; several make a \`srcset\``
  return several(pixels, { meaning, synonyms: [name], apply: 'sizes', changesPixels: true }, ascending)
}
const joinWords = (value: string) => value.replaceAll(/[\s_]+/g, '-').replace('center', 'centre')

/** `cut=png` or `cut=png;original`. Ignores the case of types that the interface doesn't list. */
const cut: Parameter<{ type: string; orOriginal: boolean }, 'plan'> = {
  ...defaults,
  takes: 'a file type (`png`), optionally followed by `;original` as the fallback',
  choices: [],
  synonyms: ['filecut', 'type'],
  apply: 'plan',
  meaning: 'the file cut to use; an error if the asset does not have it, unless `;original` follows',
  read([type = '', fallback, ...rest]) {
    if (!/^[a-z0-9]+$/i.test(type) || rest.length > 0 || (fallback !== undefined && fallback !== 'original'))
      return undefined
    return { type: canonicalType(type.toLowerCase()), orOriginal: fallback !== undefined }
  },
  write: ({ type, orOriginal }) => [type.toLowerCase(), ...(orOriginal ? ['original'] : [])],
}

/**
 * All query keys, except `preset`, which stands for other keys. Parsing, validation, messages, documentation, types,
 * picture recipes and conversions are derived from this table. A key that isn't a conversion step names the module of
 * `src/files` that reads it, or the folder `modules`.
 */
export const parameters = {
  as: one(choice(importForms), {
    meaning:
      'the form of the import: the asset, its URL, its text, a data URI, data for `<picture>`, its metadata, or a ' +
      'component of a framework',
    synonyms: ['result', 'return', 'output'],
    apply: 'plan',
  }),
  background: one(color, {
    meaning: 'fills the space around `fit=contain` and `rotate`, and transparent areas in JPG',
    synonyms: ['bg'],
    apply: 'convert',
  }),
  blur: one(number('a sigma', 0.3, 100, 0), {
    meaning: 'blurs the picture',
    apply: (picture, sigma) => picture.blur(sigma),
    changesPixels: true,
  }),
  currentcolor: flag({
    meaning: 'draws a single-color SVG in the color of the surrounding text, with `as=raw` and components',
    synonyms: ['currentColor', 'color', 'monochrome'],
    apply: 'svg',
  }),
  cut,
  dark: one(asset, {
    meaning: 'on assets: the asset that replaces this one on dark backgrounds',
    synonyms: ['night'],
    apply: 'modules',
  }),
  dpr: several(
    number('a pixel density', 0.5, 8, 0),
    {
      meaning: 'a `srcset` by pixel density, for one `w` or `h`',
      synonyms: ['density', 'x'],
      apply: 'sizes',
    },
    ascending,
  ),
  effort: one(number('a whole number', 0, 9), {
    meaning:
      'the effort for AVIF (0 to 9), WebP (0 to 6) and GIF (1 to 9), as in sharp: a higher value takes longer, for ' +
      'smaller or better pictures; a format with fewer steps uses its nearest one; default: as in sharp, or the ' +
      'lowest in dev servers',
    synonyms: ['speed', 'compression'],
    apply: 'convert',
    changesPixels: 'raster',
  }),
  enlarge: flag({
    meaning: 'allows pictures larger than the original',
    synonyms: ['upscale'],
    apply: 'convert',
  }),
  fit: one(choice(fits), {
    meaning: 'how the picture fits `w` and `h` together, as in sharp; default `cover`',
    synonyms: ['resize', 'crop'],
    apply: 'sizes',
  }),
  format: several(
    choice(pictureFormats, (value) => (value === 'jpeg' ? 'jpg' : value)),
    {
      meaning: 'converts the picture; several formats make `sources` in this order, and `src` has the last one',
      synonyms: ['fm', 'ext', 'convert'],
      apply: 'plan',
    },
  ),
  greyscale: flag({
    meaning: 'converts the picture to shades of gray',
    synonyms: ['grayscale', 'gray', 'grey'],
    apply: (picture) => picture.greyscale(),
    changesPixels: true,
  }),
  h: side('height'),
  lazy: flag({
    meaning:
      'on kits and sections: the only export is an object with a function for each slug, which imports the asset',
    synonyms: ['async', 'dynamic'],
    apply: 'modules',
  }),
  lossless: flag({
    meaning: 'compresses AVIF and WebP without loss, as in sharp',
    apply: 'convert',
    changesPixels: 'raster',
  }),
  metadata: one(choice(['full']), {
    meaning: 'adds the whole record of the asset',
    synonyms: ['meta'],
    apply: 'plan',
  }),
  placeholder: one(choice(['blur', 'color']), {
    meaning: 'adds a small preview as a data URI under 2 kB',
    synonyms: ['lqip', 'preview'],
    apply: 'plan',
  }),
  position: one(choice(positions.split(' '), joinWords), {
    meaning: 'the part of the picture that `fit=cover` keeps, as in sharp',
    synonyms: ['gravity', 'focus'],
    apply: 'convert',
  }),
  quality: one(number('a whole number', 1, 100), {
    meaning: 'the quality of AVIF, WebP and JPG, as in sharp',
    synonyms: ['q'],
    apply: 'convert',
    // `quality` alone doesn't rasterize an SVG.
    changesPixels: 'raster',
  }),
  rotate: one(number('a whole number of degrees', -360, 360), {
    meaning: 'rotates the picture clockwise',
    apply: 'convert',
    changesPixels: true,
  }),
  svgo: flag({
    meaning: 'optimizes an SVG, unless that would change its appearance',
    synonyms: ['optimize', 'optimise', 'minify'],
    apply: 'svg',
  }),
  w: side('width'),
} as const

type Table = typeof parameters
export type Key = keyof Table
export type Values = { [K in Key]?: Table[K] extends Parameter<infer T, unknown> ? T : never }

/** Keys that a picture recipe contains unchanged. */
export type RecipeKey = Exclude<Key, KeyOf<'plan' | 'sizes' | 'svg' | 'modules'>>

/** Keys that an SVG recipe contains. */
export type SvgKey = KeyOf<'svg'>

/** Keys with one of these effects. */
type KeyOf<E> = { [K in Key]: Table[K]['apply'] extends E ? K : never }[Key]

/** Returns the row of a key, without the types of its values. */
export function parameterOf(key: Key): Parameter<unknown> {
  return parameters[key]
}

const keys = keysOf(parameters)

export const svgKeys = keys.filter((key): key is SvgKey => parameters[key].apply === 'svg')

export const recipeKeys = keys.filter((key): key is RecipeKey => {
  const { apply } = parameters[key]
  return typeof apply === 'function' || apply === 'convert'
})

/**
 * Returns the keys of a query that require a conversion to pixels, even without `format`.
 * @param isRaster whether the file already consists of pixels
 */
export function pixelKeys(query: Omit<Values, 'as' | 'metadata'>, isRaster: boolean): Key[] {
  const isNeeded = { true: true, raster: isRaster, false: false }
  return keys.filter((key) => key in query && isNeeded[`${parameterOf(key).changesPixels}`])
}

/** Shorter spellings of `as`: `?url` is `?as=url`. */
export const shorthands = ['url', 'raw', 'inline'] as const satisfies (typeof importForms)[number][]
