import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import type { ResolvedTokenFile } from '../../config/token-files.js'
import { openFolder } from '../../disk/folder.js'
import { readText, replaceFile } from '../../disk/replace-file.js'
import { ContentSpaceError } from '../../errors.js'
import type { Files } from '../../files/files.js'
import type { FileDescriptor } from '../../files/plan.js'
import { isWritten } from '../../tokens/formats/head.js'
import type { TokenFilePlan } from '../../tokens/plan.js'

/**
 * Finds what differs on disk from the plan of a file of tokens.
 * @returns absolute paths; the functions write the files
 * @throws ContentSpaceError `fileSystem` if a file that this package did not write is in the way; what downloads throw
 */
export async function outdatedFiles(
  { file, fonts: folder = '' }: ResolvedTokenFile,
  { text, fonts, addresses }: TokenFilePlan,
  files: Pick<Files, 'use'>,
): Promise<Map<string, () => Promise<void>>> {
  const before = await readText(file)
  if (before !== undefined && before.trim() !== '' && !isWritten(before)) throw notOurs(file)
  const outdated = new Map<string, () => Promise<void>>()
  for (const [name, font] of folder === '' ? [] : fonts) {
    const address = addresses.get(name)
    const isOurs = address !== undefined && before?.includes(address) === true
    if (await isCurrent({ folder, name, font, isOurs }, files)) continue
    outdated.set(join(folder, name), () => writeFont(folder, name, font, files))
  }
  // Written last: it refers to the fonts.
  if (before !== text) outdated.set(file, () => replaceFile(file, text))
  return outdated
}

interface FontTarget {
  folder: string
  name: string
  font: FileDescriptor
  /** Whether the file of tokens refers to this path, which shows that the font was written before. */
  isOurs: boolean
}

/** Whether a font is on disk. Another file of its name may be replaced only if it was written before. */
async function isCurrent({ folder, name, font, isOurs }: FontTarget, files: Pick<Files, 'use'>): Promise<boolean> {
  const hash = await openFolder(folder).hash(name)
  const isSame = await files.use(font, async ({ integrity }) => integrity === hash)
  if (!isSame && hash !== undefined && !isOurs) throw notOurs(join(folder, name))
  return isSame
}

async function writeFont(folder: string, name: string, font: FileDescriptor, files: Pick<Files, 'use'>): Promise<void> {
  const { write, move } = openFolder(folder)
  const temporary = `.${randomUUID()}.tmp`
  await files.use(font, async (content) => {
    await write(temporary, content, true)
    await move(join(folder, temporary), name)
  })
}

function notOurs(file: string): ContentSpaceError {
  return new ContentSpaceError('fileSystem', `${file} was not written by content-space, and is not replaced.`, {
    hint: 'Choose another path, or remove the file.',
  })
}
