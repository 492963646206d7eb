import type { AssetData, Parameter } from './data.js'

/** The chosen values, by key. The list is empty for a flag. */
export type Chosen = Readonly<Record<string, readonly string[]>>

/** Keys that most people need. All other keys are collapsed. */
const frequent = ['w', 'format', 'cut', 'placeholder', 'as', 'currentcolor', 'svgo', 'quality']

/** Keys that affect only SVGs. */
const drawings = ['svgo', 'currentcolor']

/** Widths that are offered for clicking. */
const widths = ['320', '640', '960', '1280', '1920', '2560']

export interface Choice extends Parameter {
  isFrequent: boolean
  /** Values that are offered for clicking. */
  offered: readonly string[]
}

const place = (key: string): number => (frequent.includes(key) ? frequent.indexOf(key) : frequent.length)

/** Returns the options for an asset, most frequent keys first. */
export function choicesOf(parameters: readonly Parameter[], asset: AssetData): Choice[] {
  const fitting = parameters.filter(({ key }) => {
    if (drawings.includes(key)) return asset.type.toUpperCase() === 'SVG'
    return key !== 'cut' || asset.cuts.length > 0
  })
  return fitting
    .map((parameter) => {
      const { key } = parameter
      return { ...parameter, isFrequent: frequent.includes(key), offered: offeredOf(parameter, asset) }
    })
    .toSorted((a, b) => place(a.key) - place(b.key))
}

function offeredOf({ key, values = [] }: Parameter, asset: AssetData): readonly string[] {
  if (key === 'cut') return [...asset.cuts, 'original']
  if (key !== 'w') return values
  const isDrawing = asset.type.toUpperCase() === 'SVG'
  return widths.filter((width) => isDrawing || !asset.width || Number(width) <= asset.width)
}

/** Adds or removes a value. If a key takes a single value, the new value replaces it. */
export function choose(chosen: Chosen, parameter: Parameter, value?: string): Chosen {
  const { [parameter.key]: before = [], ...rest } = chosen
  if (value === undefined) return parameter.key in chosen ? rest : { ...chosen, [parameter.key]: [] }
  const isThere = before.includes(value)
  const others = parameter.isList ? before.filter((other) => other !== value) : []
  const after = isThere ? others : sorted([...others, value])
  return after.length > 0 ? { ...chosen, [parameter.key]: after } : rest
}

/** Sets a parameter to the values in the text of its input field. */
export function enter(chosen: Chosen, { key, isList }: Parameter, text: string): Chosen {
  const { [key]: _, ...rest } = chosen
  const values = text
    .split(isList ? /[;,\s]+/ : /;/)
    .map((value) => value.trim())
    .filter(Boolean)
  return values.length > 0 ? { ...chosen, [key]: values } : rest
}

/** @returns `w=640;1280&format=webp`, without `?`, in the order of the choices */
export function formatQuery(parameters: readonly Parameter[], chosen: Chosen): string {
  return parameters
    .toSorted((a, b) => place(a.key) - place(b.key))
    .filter(({ key }) => chosen[key])
    .map(({ key }) => {
      const values = (chosen[key] ?? []).map((value) => encodeURIComponent(value).replaceAll('%2C', ','))
      return values.length > 0 ? `${key}=${values.join(';')}` : key
    })
    .join('&')
}

const sorted = (values: string[]): string[] =>
  values.every((value) => /^\d+$/.test(value)) ? values.toSorted((a, b) => Number(a) - Number(b)) : values
