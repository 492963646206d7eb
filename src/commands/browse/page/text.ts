import prettyBytes from 'pretty-bytes'
import type { AssetData } from '../../shared/kit-page/data.js'

export const bytes = (count: number): string =>
  prettyBytes(count, { locale: 'en', maximumFractionDigits: count < 1e6 ? 0 : 1 })

export const count = (number: number, one: string, many = `${one}s`): string =>
  `${number.toLocaleString('en')} ${number === 1 ? one : many}`

/** @param iso a string from a service, which may not be a valid date */
export function date(iso: string | undefined): string | undefined {
  const time = iso === undefined ? Number.NaN : Date.parse(iso)
  return Number.isNaN(time)
    ? undefined
    : new Date(time).toLocaleDateString('en', { dateStyle: 'medium', timeZone: 'UTC' })
}

/** Returns one line to display below the name of an asset. */
export function describe(asset: AssetData): string {
  if (asset.color) return asset.color.hex
  if (asset.font)
    return [asset.font.weight, asset.font.style === 'italic' ? 'italic' : '', asset.type].filter(Boolean).join(' ')
  const size = asset.width && asset.height ? dimensions(asset.width, asset.height) : asset.size ? bytes(asset.size) : ''
  return [asset.type, size].filter(Boolean).join(' · ')
}

export const dimensions = (width: number, height: number): string => `${round(width)} × ${round(height)}`

const round = (length: number): number => Math.round(length * 10) / 10

/** Returns a link only if it is a web address, because a service's permalink could be `javascript:`. */
export function webAddress(text: string | undefined): string | undefined {
  try {
    const { protocol, href } = new URL(text ?? '')
    return protocol === 'https:' || protocol === 'http:' ? href : undefined
  } catch {
    return undefined
  }
}
