import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import type { ResolvedTokenFile } from '../../config/token-files.js'
import { notOurs } from '../../disk/file-error.js'
import { openFolder, type Folder } from '../../disk/folder.js'
import { readText, replaceFile } from '../../disk/replace-file.js'
import type { Files } from '../../files/files.js'
import type { FileDescriptor } from '../../files/plan.js'
import { isWritten } from '../../tokens/formats/sheet.js'
import type { TokenFilePlan } from '../../tokens/plan.js'

/**
 * Finds what differs on disk from the plan of a file of tokens.
 * @returns absolute paths; the functions write the files
 * @throws ContentSpaceError `fileSystem` if a file that this package did not write is in the way; what downloads throw
 */
export async function outdatedFiles(
  { file, fonts: folder = '' }: ResolvedTokenFile,
  { text, beside, fonts, addresses }: TokenFilePlan,
  files: Pick<Files, 'use'>,
): Promise<Map<string, () => Promise<void>>> {
  const before = await readOwn(file)
  const outdated = new Map<string, () => Promise<void>>()
  const target = openFolder(folder)
  for (const [name, font] of folder === '' ? [] : fonts) {
    const hash = await target.hash(name)
    if (await files.use(font, async ({ integrity }) => integrity === hash)) continue
    // The file of tokens refers to a font that was written before. Another file of its name is not replaced.
    const address = addresses.get(name)
    const isOurs = address !== undefined && before?.includes(address) === true
    if (hash !== undefined && !isOurs) throw notOurs(join(folder, name))
    outdated.set(join(folder, name), () => writeFont(target, name, font, files))
  }
  for (const [path, other] of beside)
    if ((await readOwn(path)) !== other) outdated.set(path, () => replaceFile(path, other))
  // Written last: it refers to the fonts.
  if (before !== text) outdated.set(file, () => replaceFile(file, text))
  return outdated
}

/** Reads a file that may be replaced. @throws ContentSpaceError `fileSystem` for a file of the user */
async function readOwn(file: string): Promise<string | undefined> {
  const before = await readText(file)
  if (before !== undefined && before.trim() !== '' && !isWritten(before)) throw notOurs(file)
  return before
}

async function writeFont(
  { path, write, move }: Folder,
  name: string,
  font: FileDescriptor,
  files: Pick<Files, 'use'>,
): Promise<void> {
  const temporary = `.${randomUUID()}.tmp`
  await files.use(font, async (content) => {
    await write(temporary, content, true)
    await move(join(path, temporary), name)
  })
}
