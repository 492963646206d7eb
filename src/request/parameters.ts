import colourNames from 'color-name'
import { canonicalType } from '../space/asset-type.js'

/** What an import makes of an asset. `as=…` in a query. */
export const results = ['asset', 'url', 'raw', 'inline', 'picture', 'metadata'] as const

/** What sharp writes, and `original`: the file as it is, or in its own format where it must be changed. */
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

/** The names of CSS, all of which sharp reads. */
const colours = ['transparent', ...Object.keys(colourNames)]

/** One key of a query: what it takes, how it is read and written, and what it means. */
export interface Parameter<T> {
  /** What it takes, in words, for messages and documentation. */
  takes: string
  /** A closed list of values, for suggestions; empty when there is none. */
  choices: readonly string[]
  /** Other words for the key, so that a wrong one finds the right one. */
  synonyms: readonly string[]
  meaning: string
  /** @returns undefined for what it cannot take */
  read(values: readonly string[]): T | undefined
  /** The canonical values; none for a flag. */
  write(value: T): readonly string[]
}

interface Kind<T> extends Pick<Parameter<T>, 'takes' | 'choices'> {
  read(value: string): T | undefined
  write(value: T): string
}

function choice<const T extends string>(
  choices: readonly T[],
  fold: (value: string) => string = (value) => value,
): Kind<T> {
  return {
    takes: choices.map((value) => `\`${value}\``).join(', '),
    choices,
    read: (value) => choices.find((known) => known === fold(value.toLowerCase())),
    write: (value) => value,
  }
}

function number(takes: string, least: number, most: number, step = 1): Kind<number> {
  return {
    takes: `${takes} from ${least} to ${most}`,
    choices: [],
    read(value) {
      const result = Number(value)
      const within = /^-?(\d+\.?\d*|\.\d+)$/.test(value) && result >= least && result <= most
      return within && (step === 0 || Number.isInteger(result / step)) ? result : undefined
    },
    write: String,
  }
}

const colour: Kind<string> = {
  takes: 'a hexadecimal colour (`fff`, `ffffff80`) or a colour name of CSS (`tomato`, `transparent`)',
  choices: colours,
  read(value) {
    const name = value.toLowerCase().replace(/^#/, '')
    if (/^([\da-f]{3,4}|[\da-f]{6}|[\da-f]{8})$/.test(name)) return `#${name}`
    return colours.find((known) => known === value.toLowerCase())
  },
  write: (value) => value.replace(/^#/, ''),
}

interface Text {
  meaning: string
  synonyms?: readonly string[]
}

function one<T>(kind: Kind<T>, { meaning, synonyms = [] }: Text): Parameter<T> {
  return {
    ...kind,
    meaning,
    synonyms,
    read: ([value = '', ...rest]) => (rest.length === 0 ? kind.read(value) : undefined),
    write: (value) => [kind.write(value)],
  }
}

/** @param order absent: the order written counts */
function several<T>(kind: Kind<T>, { meaning, synonyms = [] }: Text, order?: (a: T, b: T) => number): Parameter<T[]> {
  return {
    ...kind,
    takes: `${kind.takes}; one or several`,
    meaning,
    synonyms,
    read(values) {
      const read = [...new Set(values.flatMap((value) => kind.read(value) ?? []))]
      return read.length < new Set(values).size ? undefined : order ? read.toSorted(order) : read
    },
    write: (value) => value.map((item) => kind.write(item)),
  }
}

function flag({ meaning, synonyms = [] }: Text): Parameter<true> {
  return {
    takes: 'nothing',
    choices: [],
    meaning,
    synonyms,
    read: ([value = '', ...rest]) => (rest.length === 0 && (value === '' || value === 'true') ? true : undefined),
    write: () => [],
  }
}

const ascending = (a: number, b: number) => a - b
const pixels = number('pixels, a whole number', 1, 16_383)
const dashed = (value: string) => value.replaceAll(/[\s_]+/g, '-').replace('center', 'centre')

/** `cut=png` or `cut=png;original`. A type that the interface does not list is compared whatever its case. */
const cut: Parameter<{ type: string; orOriginal: boolean }> = {
  takes: 'a type (`png`), and `original` behind it to fall back',
  choices: [],
  synonyms: ['filecut', 'type'],
  meaning:
    'the file cut of the service; an asset that does not offer it is an error, or stays as it is with `cut=png;original`',
  read([type = '', fallback, ...rest]) {
    if (!/^[a-z0-9]+$/i.test(type) || rest.length > 0 || (fallback !== undefined && fallback !== 'original'))
      return undefined
    return { type: canonicalType(type.toLowerCase()), orOriginal: fallback !== undefined }
  },
  write: ({ type, orOriginal }) => [type.toLowerCase(), ...(orOriginal ? ['original'] : [])],
}

/**
 * Every key of a query. Parsing, validation, messages, documentation and types all come from this table;
 * `preset` is not in it, for it stands for others.
 */
export const parameters = {
  as: one(choice(results), {
    meaning:
      'what the import is: the asset, its address, its text, a data URI, what `<picture>` needs, or the description without any file',
    synonyms: ['result', 'return', 'output'],
  }),
  background: one(colour, {
    meaning: 'what fills the space of `fit=contain`, of `rotate` and behind transparency in JPG',
    synonyms: ['bg'],
  }),
  blur: one(number('sigma,', 0.3, 100, 0), { meaning: 'blurs' }),
  cut,
  dpr: several(
    number('densities,', 0.5, 8, 0),
    { meaning: '`srcset` by density, with one `w` or `h`', synonyms: ['density', 'x'] },
    ascending,
  ),
  enlarge: flag({ meaning: 'allows pictures larger than the original', synonyms: ['upscale'] }),
  fit: one(choice(fits), {
    meaning: 'how `w` and `h` together are met, as in sharp; default `cover`',
    synonyms: ['resize', 'crop'],
  }),
  format: several(
    choice(pictureFormats, (value) => (value === 'jpeg' ? 'jpg' : value)),
    {
      meaning: 'converts; several make `sources` in this order, and `src` is of the last',
      synonyms: ['fm', 'ext', 'convert'],
    },
  ),
  greyscale: flag({ meaning: 'without colour', synonyms: ['grayscale', 'gray', 'grey'] }),
  h: several(pixels, { meaning: 'height in pixels; several make a `srcset`', synonyms: ['height'] }, ascending),
  metadata: one(choice(['full']), { meaning: 'the whole record of the asset', synonyms: ['meta'] }),
  placeholder: one(choice(['blur', 'color']), {
    meaning: 'a small preview as a data URI under 2 kB',
    synonyms: ['lqip', 'preview'],
  }),
  position: one(choice(positions, dashed), {
    meaning: 'what `fit=cover` keeps, as in sharp',
    synonyms: ['gravity', 'focus'],
  }),
  quality: one(number('a whole number', 1, 100), { meaning: 'of AVIF, WebP and JPG, as in sharp', synonyms: ['q'] }),
  rotate: one(number('degrees, a whole number', -360, 360), { meaning: 'turns clockwise' }),
  svgo: flag({ meaning: 'optimises an SVG', synonyms: ['optimize', 'optimise', 'minify'] }),
  w: several(pixels, { meaning: 'width in pixels; several make a `srcset`', synonyms: ['width'] }, ascending),
} as const satisfies Record<string, Parameter<unknown>>

/** Keys that say less: `?url` is `?as=url`. */
export const shorthands = ['url', 'raw', 'inline'] as const satisfies (typeof results)[number][]

/** The table as Markdown, for the README. */
export function parameterTable(): string {
  const rows = Object.entries(parameters).map(([key, { takes, meaning }]) => `| \`${key}\` | ${takes} | ${meaning} |`)
  const preset = '| `preset` | a name from option `presets` | the query of that name; keys beside it win |'
  return ['| key | takes | meaning |', '|---|---|---|', ...rows, preset].join('\n')
}
