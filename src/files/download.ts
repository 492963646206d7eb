import { canDetectTruncation, findTruncation } from './truncation.js'
import { isRaster } from '../space/asset-type.js'
import { ContentSpaceError } from '../errors.js'
import { memoryLimit, type Content } from '../disk/content.js'
import { offlineError, pageHint } from '../space/offline.js'
import { readCut, spaceOf, type Body, type Call, type Space } from '../space/space.js'
import type { Pool } from './convert/pool.js'
import { findTypeMismatch, isHtmlPage } from './file-signature.js'
import type { FileDescriptor } from './plan.js'
import { discard, type ReceiveBody } from './receive.js'
import { isAlwaysRewritten, readRecipe, type Recipe } from './recipe.js'
import { checkedHere } from './svg/limits.js'

export interface DownloadContext {
  space: Space
  offline: boolean
  /** Whether a hash that differs from the service's listing is an error instead of a warning. */
  strict: boolean
  warn: (message: string) => void
  pool: Pool
}

/**
 * We stop a download when it exceeds the listed size by this many bytes, if the transport hasn't stopped it earlier.
 */
const tolerance = memoryLimit

/**
 * Downloads an original or a cut and verifies its type and hash, and that it is complete.
 * @throws ContentSpaceError any error of the space; `offline`, `contentMismatch`, `truncated`, `integrity`
 */
export async function download(
  file: FileDescriptor,
  receive: ReceiveBody,
  context: DownloadContext,
  call: Call | undefined,
): Promise<Content> {
  const { asset, size, cut, hash, from } = file
  const { worksOffline } = spaceOf(context.space, from?.kit)
  if (context.offline && !worksOffline) throw offlineError(`${describeSource(file)} is not in the cache.`, { asset })
  loadChecks(file)
  const converted = conversionOf(file)
  const isOriginal = cut === undefined
  const options = {
    also: isOriginal && hash !== undefined ? algorithms[hash.length] : undefined,
    limit: isOriginal && size !== undefined ? size + tolerance : undefined,
  }
  const receiveVerified = async (body: Body): Promise<Content> => {
    const { content, digest } = await receive(body, options).catch((error: unknown) => {
      throw error instanceof RangeError ? tooLongError(file, error) : error
    })
    try {
      await verify(file, content, { digest, unconfirmed: body.unconfirmed === true }, context)
      return content
    } catch (error) {
      await discard(content)
      throw error
    }
  }
  const target = { uuid: asset, size, hash, from, name: file.label, type: file.type }
  try {
    const downloaded = () => context.space.download(target, cut, receiveVerified, call)
    return await (converted === undefined ? downloaded() : context.pool.prepared(converted, downloaded))
  } catch (error) {
    throw error instanceof ContentSpaceError ? error.with({ asset, file: describeSource(file) }) : error
  }
}

/** Loads the code that checks an SVG while the SVG is downloaded. If loading fails, the check itself will report it. */
function loadChecks({ type, cut = type, size = Infinity, recipe }: FileDescriptor): void {
  if (cut !== 'SVG') return
  import('saxes').catch(() => {})
  const read = recipe === undefined ? undefined : readRecipe(recipe)
  const isChecked = read?.kind === 'svg' && read.policy !== 'trust' && size <= checkedHere
  if (isChecked) import('./svg/check.js').catch(() => {})
}

/** Returns how a file is converted, if that is certain. Whether an SVG has to be sanitized depends on its content. */
function conversionOf({ recipe }: FileDescriptor): Recipe['kind'] | undefined {
  const read = recipe === undefined ? undefined : readRecipe(recipe)
  if (read?.kind === 'raster') return 'raster'
  return read?.kind === 'svg' && isAlwaysRewritten(read) ? 'svg' : undefined
}

function typeOfFile({ cut, type }: FileDescriptor): string {
  return cut === undefined ? type : readCut(cut).type
}

/** Returns a source's name for messages: `Acme Logo`, or `Acme Logo (PNG cut)`. */
export function describeSource({ label, cut }: FileDescriptor): string {
  return cut === undefined ? label : `${label} (${cut} cut)`
}

function tooLongError(file: FileDescriptor, cause: RangeError): ContentSpaceError {
  const message = `${describeSource(file)} is longer than the ${file.size} bytes that the service lists.`
  const hint = 'If this happens on every download, the service lists a wrong size. Upload the file again.'
  return new ContentSpaceError('truncated', message, { asset: file.asset, hint, cause })
}

/**
 * @param transfer `digest` is the hash, computed with the algorithm of the listed `file_hash`; undefined for cuts, or
 *   if no hash is listed. `unconfirmed` means that the transport can't tell whether the body is complete.
 */
async function verify(
  file: FileDescriptor,
  content: Content,
  { digest, unconfirmed }: { digest: string | undefined; unconfirmed: boolean },
  context: DownloadContext,
): Promise<void> {
  const { asset, hash } = file
  await checkType(file, content)
  // The file on the service has exactly these bytes, so if it is damaged, another download wouldn't help.
  if (digest !== undefined && digest === hash) return
  if (unconfirmed) checkEndIsDetectable(file, content)
  await checkDamage(file, content, context)
  if (digest === undefined) return
  const { hasRevisions, label } = spaceOf(context.space, file.from?.kit)
  if (hasRevisions) {
    const id = JSON.stringify(file.from?.id ?? asset)
    const problem = `Source ${label} returned a file with the hash ${digest} from read() of ${describeSource(file)}`
    throw new ContentSpaceError('integrity', `${problem} (id ${id}), but its list() said ${hash}.`, {
      asset,
      hint: 'If the file has changed, run `npx content-space update`. Otherwise correct the hash, or leave it out.',
    })
  }
  const message = `${describeSource(file)} does not match the file_hash that the service lists (${hash}).`
  const hint = 'Upload the file again. Without option strict, this is a warning.'
  if (context.strict) throw new ContentSpaceError('contentMismatch', message, { asset, hint })
  context.warn(message)
}

/** The advice for a damaged cut, which the service makes from the uploaded file. */
const wrongCut = 'ask the people who run the service for a correct cut, or import the original.'

/** @throws ContentSpaceError `contentMismatch` */
export async function checkType(file: FileDescriptor, content: Content): Promise<void> {
  const { asset, cut } = file
  const found = await findTypeMismatch(content, typeOfFile(file))
  if (found === undefined) return
  const how = cut === undefined ? 'is listed' : 'was requested'
  const message = `${describeSource(file)} ${how} as ${typeOfFile(file)}, but contains ${found}.`
  const step = cut === undefined ? 'Upload the file again under its actual type.' : `Its cut is wrong: ${wrongCut}`
  const hint = (await isHtmlPage(content)) ? `${pageHint} Otherwise: ${step}` : step
  throw new ContentSpaceError('contentMismatch', message, { asset, hint })
}

/**
 * Rejects a file if we can't detect whether it is complete: without a length, a connection that closes early looks like
 * the end of the body.
 */
function checkEndIsDetectable(file: FileDescriptor, { size }: Content): void {
  const type = typeOfFile(file)
  if (size > 0 && (isRaster(type) || canDetectTruncation(type))) return
  const message = `${describeSource(file)} was sent without a length, so it may be incomplete.`
  throw new ContentSpaceError('truncated', message, {
    asset: file.asset,
    hint: 'The service must list the size or file_hash of this asset, or send Content-Length.',
  })
}

/** Checks that a file is complete: decodes a picture, and checks the structure of a document, SVG, or font. */
async function checkDamage(file: FileDescriptor, content: Content, { space, pool }: DownloadContext): Promise<void> {
  // A local space doesn't transfer files.
  if (spaceOf(space, file.from?.kit).local) return
  const { asset, cut } = file
  const type = typeOfFile(file)
  const truncation = cut !== undefined && content.size === 0 ? 'it is empty' : await findTruncation(content, type)
  const failure = truncation === undefined && content.size > 0 && isRaster(type) ? await pool.check(content) : undefined
  const reason = truncation ?? failure?.reason
  if (reason === undefined) return
  const problem = truncation === undefined ? (failure?.problem ?? 'damaged') : 'cut short'
  throw new ContentSpaceError('truncated', `${describeSource(file)} is ${problem}: ${reason}.`, {
    asset,
    hint: `If this happens on every download, ${cut === undefined ? 'upload the file again.' : wrongCut}`,
  })
}

/**
 * The algorithm for each number of hexadecimal digits, because the interface doesn't say which algorithm `file_hash`
 * uses.
 */
export const algorithms: Readonly<Record<number, string>> = { 32: 'md5', 40: 'sha1', 64: 'sha256' }
