import colorNames from 'color-name'
import { canonicalType } from '../space/asset-type.js'
import { frameworks } from './frameworks.js'

/** What an asset is imported as: `as=…` in a query. `component` stands for the framework of the project. */
export const importForms = ['asset', 'url', 'raw', 'inline', 'picture', 'metadata', 'component', ...frameworks] as const

/** Formats of `format=…`. `original` is the format of the original, or the file itself if nothing else changes it. */
export const pictureFormats = ['avif', 'webp', 'png', 'jpg', 'gif', 'original'] as const

export const fits = ['cover', 'contain', 'fill', 'inside', 'outside'] as const

const positions = [
  'centre',
  'top',
  'right-top',
  'right',
  'right-bottom',
  'bottom',
  'left-bottom',
  'left',
  'left-top',
  'north',
  'northeast',
  'east',
  'southeast',
  'south',
  'southwest',
  'west',
  'northwest',
  'entropy',
  'attention',
] as const

/** The color names of CSS. sharp accepts all of them. */
const colors = ['transparent', ...Object.keys(colorNames)]

/** A key of a query: its valid values, how they are parsed and formatted, and what it does. */
export interface Parameter<T> {
  /** Describes the valid values, for messages and the documentation. */
  takes: string
  /** All valid values, if it is a closed list; otherwise empty. */
  choices: readonly string[]
  /** Frequent values, for suggestions. */
  examples?: readonly string[]
  /** Names of the key in other tools, for suggestions. */
  synonyms: readonly string[]
  /** Describes the effect, for the documentation. */
  meaning: string
  /** Whether several values may be given. */
  isList?: true
  /** @returns undefined for invalid values */
  read(values: readonly string[]): T | undefined
  /** Returns the canonical values; an empty list for a flag. */
  write(value: T): readonly string[]
}

/** A kind of value. */
interface Kind<T> extends Pick<Parameter<T>, 'takes' | 'choices' | 'examples'> {
  read(value: string): T | undefined
  write(value: T): string
}

/** @param normalize maps other spellings of a value to one of the choices */
function choice<const T extends string>(
  choices: readonly T[],
  normalize: (value: string) => string = (value) => value,
): Kind<T> {
  return {
    takes: `one of ${choices.map((value) => `\`${value}\``).join(', ')}`,
    choices,
    read: (value) => choices.find((known) => known === normalize(value.toLowerCase())),
    write: (value) => value,
  }
}

/** @param step 0 allows any fraction */
function number(takes: string, min: number, max: number, step = 1): Kind<number> {
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

const color: Kind<string> = {
  takes: 'a hexadecimal color (`fff`, `ffffff80`) or a color name of CSS (`tomato`, `transparent`)',
  choices: [],
  examples: colors,
  read(value) {
    const name = value.toLowerCase().replace(/^#/, '')
    if (/^([\da-f]{3,4}|[\da-f]{6}|[\da-f]{8})$/.test(name)) return `#${name}`
    return colors.find((known) => known === value.toLowerCase())
  },
  write: (value) => value.replace(/^#/, ''),
}

interface Documentation {
  meaning: string
  synonyms?: readonly string[]
}

/** A key with one value. */
function one<T>(kind: Kind<T>, { meaning, synonyms = [] }: Documentation): Parameter<T> {
  return {
    ...kind,
    meaning,
    synonyms,
    read: ([value = '', ...rest]) => (rest.length === 0 ? kind.read(value) : undefined),
    write: (value) => [kind.write(value)],
  }
}

/**
 * A key with one or more values, which are deduplicated.
 * @param compare default: the values stay in the given order
 */
function several<T>(
  kind: Kind<T>,
  { meaning, synonyms = [] }: Documentation,
  compare?: (a: T, b: T) => number,
): Parameter<T[]> {
  return {
    ...kind,
    takes: `${kind.takes}; one or more`,
    isList: true,
    meaning,
    synonyms,
    read(values) {
      const read = [...new Set(values.flatMap((value) => kind.read(value) ?? []))]
      return read.length < new Set(values).size ? undefined : compare ? read.toSorted(compare) : read
    },
    write: (value) => value.map((item) => kind.write(item)),
  }
}

/** A key without a value. */
function flag({ meaning, synonyms = [] }: Documentation): Parameter<true> {
  return {
    takes: 'no value',
    choices: [],
    meaning,
    synonyms,
    read: ([value = '', ...rest]) => (rest.length === 0 && (value === '' || value === 'true') ? true : undefined),
    write: () => [],
  }
}

const ascending = (a: number, b: number) => a - b
const pixels = number('a whole number of pixels', 1, 16_383)
const joinWords = (value: string) => value.replaceAll(/[\s_]+/g, '-').replace('center', 'centre')

/** `cut=png` or `cut=png;original`. Types that the interface does not list are compared ignoring case. */
const cut: Parameter<{ type: string; orOriginal: boolean }> = {
  takes: 'a file type (`png`), optionally followed by `;original` as the fallback',
  choices: [],
  synonyms: ['filecut', 'type'],
  meaning: 'the file cut of the service; an error if the asset does not offer it, unless `;original` follows',
  read([type = '', fallback, ...rest]) {
    if (!/^[a-z0-9]+$/i.test(type) || rest.length > 0 || (fallback !== undefined && fallback !== 'original'))
      return undefined
    return { type: canonicalType(type.toLowerCase()), orOriginal: fallback !== undefined }
  },
  write: ({ type, orOriginal }) => [type.toLowerCase(), ...(orOriginal ? ['original'] : [])],
}

/**
 * All keys of a query, except `preset`, which stands for other keys. Parsing, validation, messages, documentation and
 * types are derived from this table.
 *
 * To add a key, add an entry here and a row to the table of the README. A key that changes bytes also needs
 * - a field of the recipe, which is the cache key: `files/recipe.ts`, filled in `files/plan.ts`
 * - its effect: `files/convert/raster.ts` for pixels, `files/sizes.ts` for sizes, `files/svg/svg.ts` for SVG
 * - a schema of the field, for recipes that bundlers return: `bundlers/references/read-descriptors.ts`
 */
export const parameters = {
  as: one(choice(importForms), {
    meaning:
      'the form of the import: the asset, its URL, its text, a data URI, data for `<picture>`, its metadata, or a ' +
      'component of a framework',
    synonyms: ['result', 'return', 'output'],
  }),
  background: one(color, {
    meaning: 'fills the space around `fit=contain` and `rotate`, and transparent areas in JPG',
    synonyms: ['bg'],
  }),
  blur: one(number('a sigma', 0.3, 100, 0), { meaning: 'blurs the picture' }),
  currentcolor: flag({
    meaning: 'draws an SVG of one color in the color of the text around it, with `as=raw` and components',
    synonyms: ['currentColor', 'color', 'monochrome'],
  }),
  cut,
  dpr: several(
    number('a pixel density', 0.5, 8, 0),
    { meaning: 'a `srcset` by pixel density, for one `w` or `h`', synonyms: ['density', 'x'] },
    ascending,
  ),
  enlarge: flag({ meaning: 'allows pictures larger than the original', synonyms: ['upscale'] }),
  fit: one(choice(fits), {
    meaning: 'how the picture fits `w` and `h` together, as in sharp; default `cover`',
    synonyms: ['resize', 'crop'],
  }),
  format: several(
    choice(pictureFormats, (value) => (value === 'jpeg' ? 'jpg' : value)),
    {
      meaning: 'converts the picture; several formats make `sources` in this order, and `src` has the last one',
      synonyms: ['fm', 'ext', 'convert'],
    },
  ),
  greyscale: flag({ meaning: 'removes colors', synonyms: ['grayscale', 'gray', 'grey'] }),
  h: several(pixels, { meaning: 'height in pixels; several make a `srcset`', synonyms: ['height'] }, ascending),
  metadata: one(choice(['full']), { meaning: 'adds the whole record of the asset', synonyms: ['meta'] }),
  placeholder: one(choice(['blur', 'color']), {
    meaning: 'adds a small preview as a data URI under 2 kB',
    synonyms: ['lqip', 'preview'],
  }),
  position: one(choice(positions, joinWords), {
    meaning: 'the part of the picture that `fit=cover` keeps, as in sharp',
    synonyms: ['gravity', 'focus'],
  }),
  quality: one(number('a whole number', 1, 100), {
    meaning: 'the quality of AVIF, WebP and JPG, as in sharp',
    synonyms: ['q'],
  }),
  rotate: one(number('a whole number of degrees', -360, 360), { meaning: 'rotates the picture clockwise' }),
  svgo: flag({ meaning: 'optimizes an SVG', synonyms: ['optimize', 'optimise', 'minify'] }),
  w: several(pixels, { meaning: 'width in pixels; several make a `srcset`', synonyms: ['width'] }, ascending),
} as const satisfies Record<string, Parameter<unknown>>

/** Shorter spellings of `as`: `?url` is `?as=url`. */
export const shorthands = ['url', 'raw', 'inline'] as const satisfies (typeof importForms)[number][]

/** Formats the table as Markdown. */
export function parameterTable(): string {
  const rows = Object.entries(parameters).map(([key, { takes, meaning }]) => `| \`${key}\` | ${takes} | ${meaning} |`)
  const preset = '| `preset` | a name of option `presets` | the query of that name; keys next to it override it |'
  return ['| key | values | effect |', '|---|---|---|', ...rows, preset].join('\n')
}
