import { sizeText } from '../text/quantities.js'
import { readContent, type Content } from '../disk/content.js'
import { ContentSpaceError } from '../errors.js'
import { mediaType } from '../space/asset-type.js'
import type { Call } from '../space/space.js'
import type { FileDescriptor, ValueDescriptor } from './plan.js'
import { readRecipe } from './recipe.js'

const maxSize = 32 * 1024 * 1024

export type Use = <T>(file: FileDescriptor, consume: (content: Content) => Promise<T>, call?: Call) => Promise<T>

/** Returns the text of a file, its data URI, or its drawing for a component. */
export async function readValue(value: ValueDescriptor, use: Use, call: Call | undefined): Promise<string> {
  const { file, as } = value
  const isListedSize = file.recipe === undefined && file.cut === undefined
  if (isListedSize) checkSize(file, file.size)
  const read = async (content: Content): Promise<Uint8Array> => {
    checkSize(file, content.size)
    return readContent(content)
  }
  const bytes = await use(file, read, call)
  if (as === 'raw') return decodeText(file, bytes)
  if (as === 'component') {
    const { componentText } = await import('./svg/component-text.js')
    const text = componentText(decodeText(file, bytes), prefixIn(file), value.framework)
    if (text === undefined) throw notInline(file)
    return text
  }
  const base64 = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64')
  return `data:${mediaType(file.ext)};base64,${base64}`
}

function notInline({ asset, label }: FileDescriptor): ContentSpaceError {
  return new ContentSpaceError('conversionFailed', `${label} does not begin with <svg>, so it cannot be inline.`, {
    asset,
    hint: "Write its elements without a namespace prefix, or set option svg to 'sanitize'.",
  })
}

function prefixIn({ recipe }: FileDescriptor): string {
  const read = recipe === undefined ? undefined : readRecipe(recipe)
  return read?.kind === 'svg' ? (read.prefix ?? '') : ''
}

function checkSize({ asset, label }: FileDescriptor, size = 0): void {
  if (size <= maxSize) return
  const limit = sizeText(maxSize)
  const message = `${label} (${sizeText(size)}) is too large to be part of a module: the limit is ${limit}.`
  throw new ContentSpaceError('invalidQuery', message, {
    asset,
    hint: 'Import its address, without as=raw or as=inline.',
  })
}

function decodeText({ asset, label, ext }: FileDescriptor, bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch (cause) {
    throw new ContentSpaceError('contentMismatch', `${label} (${ext}) is not UTF-8 text.`, {
      asset,
      hint: 'Import it with as=inline instead of as=raw.',
      cause,
    })
  }
}
