import type { Engine } from '../../../engine/engine.js'
import { ContentSpaceError } from '../../../errors.js'
import { fieldKey } from '../../../kit/custom-fields.js'
import type { AssetRecord } from '../../../space/space.js'
import { oneLine } from '../../../text/display.js'
import { objectOf } from '../../../text/json.js'
import { suggestion } from '../../../text/nearest.js'
import { findUsage } from '../usage.js'
import type { Used } from './known.js'
import type { Finding } from './report.js'

/**
 * Finds imports and copies of assets that should no longer be used.
 * @param copies findings that may be copies
 * @param named the key or name of a custom field with a date. Without it, only the status counts.
 * @throws ContentSpaceError `invalidOption` if no asset has the field
 */
export async function findExpired(
  engine: Engine,
  used: ReadonlyMap<string, Used>,
  copies: readonly Finding[],
  named: string | undefined,
  signal: AbortSignal,
): Promise<Finding[]> {
  const keys = new Set([...used.values()].flatMap(({ record }) => Object.keys(record.fields ?? {})))
  const field = named === undefined || keys.has(named) ? named : fieldKey(named)
  if (named !== undefined && !keys.has(field ?? '')) {
    throw new ContentSpaceError('invalidOption', `No asset of the kits has the custom field ${named}.`, {
      hint: suggestion(named, keys, 'fields'),
    })
  }
  const reasons = new Map(
    [...used].flatMap(([uuid, { record }]) => {
      const reason = reasonOf(record, field)
      return reason === undefined ? [] : [[uuid, reason] as const]
    }),
  )
  if (reasons.size === 0) return []
  const { assets } = await findUsage({ ...engine, reasonOf: oneLine }, signal)
  const imported = Object.entries(assets).flatMap(([uuid, { places }]) => places.map((place) => ({ uuid, ...place })))
  const copied = copies.flatMap(({ finding, asset: { uuid }, file, line }) =>
    finding === 'copy' || finding === 'outdated' || finding === 'redrawn' ? [{ uuid, file, line }] : [],
  )
  return [...imported, ...copied].flatMap(({ uuid, file, line }): Finding[] => {
    const [reason, one] = [reasons.get(uuid), used.get(uuid)]
    return reason === undefined || one === undefined ? [] : [{ finding: 'expired', ...one.known, reason, file, line }]
  })
}

/** Returns why an asset should no longer be used. It may still be used on the day in its field. */
function reasonOf({ fields, raw }: AssetRecord, field: string | undefined): string | undefined {
  const date = field === undefined ? undefined : fields?.[field]
  const today = new Date().toISOString().slice(0, 10)
  if (typeof date === 'string' && Date.parse(date) < Date.parse(today)) return `${field} ${date} has passed`
  const { status } = objectOf(raw)
  return typeof status === 'string' && status !== 'active' ? `its status is ${status}` : undefined
}
