import type { IncomingMessage } from 'node:http'
import { resolve } from 'node:path'
import * as v from 'valibot'
import type { Copies, Place, Usage } from '../shared/kit-page/data.js'
import { readUpTo } from '../../space/http/body.js'

/** The maximum size of a request in bytes. */
const maxSize = 8192

const place = v.strictObject({ file: v.string(), line: v.pipe(v.number(), v.safeInteger(), v.minValue(1)) })

/** Reads the place that a page asks to open. @returns undefined for anything but a place as JSON */
export async function readPlace(request: IncomingMessage): Promise<Place | undefined> {
  const [type] = (request.headers['content-type'] ?? '').split(';')
  // Pages of other origins can't send JSON without a preflight request.
  if (type?.trim().toLowerCase() !== 'application/json') return undefined
  const chunks: Uint8Array[] = []
  if (!(await readUpTo(request[Symbol.asyncIterator](), chunks, maxSize))) return undefined
  const read = v.safeParse(v.pipe(v.string(), v.parseJson(), place), Buffer.concat(chunks).toString())
  return read.success ? read.output : undefined
}

/** Returns whether the page lists a place. Other places must not be opened. */
export function isListed({ file, line }: Place, { assets, kits, refused }: Usage, copies: Copies): boolean {
  const places = [
    ...Object.values(assets).flatMap((asset) => asset.places),
    ...[kits, copies].flatMap((one) => Object.values(one).flat()),
    ...refused,
  ]
  return places.some((listed) => listed.file === file && listed.line === line)
}

/** Opens a place in the running editor, or the editor that `LAUNCH_EDITOR` or `EDITOR` names. */
export async function openPlace(
  root: string,
  { file, line }: Place,
  onError: (message: string) => void,
): Promise<void> {
  const { default: launch } = await import('launch-editor')
  launch(`${resolve(root, file)}:${line}`, undefined, (_file, message) =>
    onError(`The editor could not be opened: ${message ?? 'none was found. Set LAUNCH_EDITOR to its command.'}`),
  )
}
