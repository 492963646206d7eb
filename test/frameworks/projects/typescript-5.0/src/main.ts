import { solvaneLogo } from 'content-space:kit/brand'

export const format: 'SVG' = solvaneLogo.type
// @ts-expect-error The types of imports are exact.
export const other: 'PNG' = solvaneLogo.type
