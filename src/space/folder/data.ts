import { ContentSpaceError } from '../../errors.js'
import { dataTypes, isType } from '../asset-type.js'
import { readableName } from './naming.js'
import type { AssetJson } from './sidecar.js'

/**
 * Completes the JSON of an asset without a file. A color, `{ "color": "#E5603F" }` or one with `meta.hex`, gets the
 * type and the entry of `colors` that the service sends. JSON with `colors` is the record of a service, and stays as it
 * is.
 * @param stem file name without extension
 * @param label the path for messages
 * @returns undefined when the JSON describes no asset
 * @throws ContentSpaceError `invalidSpace` for a color that cannot be read
 */
export async function completeData(json: AssetJson, stem: string, label: string): Promise<AssetJson | undefined> {
  const { color: written, ...fields } = json
  const { type, name = readableName(stem), colors, meta } = fields
  if (type !== undefined && !isType(type, 'color')) return json
  if (written === undefined && type === undefined) return undefined
  if (written === undefined && colors !== undefined) return json
  const { readColor, readColorValue, writeColorEntry } = await import('../color.js')
  const color = written === undefined ? readColor({ colors: [], meta }) : readColorValue(written)
  if (color) return { ...fields, type: dataTypes.color, colors: [writeColorEntry(name, color)] }
  if (written === undefined) return json
  const found = `${label}: \`color\` is no color that can be read: ${JSON.stringify(written)}.`
  throw new ContentSpaceError('invalidSpace', found, { hint: 'Write a color of CSS, such as "#e5603f".' })
}
