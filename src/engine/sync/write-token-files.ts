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
 * Compares the plan of a token file with the disk.
 * @returns the absolute paths of files that differ, each with a function that writes the file
 * @throws ContentSpaceError `fileSystem` if a file that this package didn't write is in the way; any error of a
 *   download
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
    // If the old token file refers to a font, we wrote that font. Don't replace any other file with the same name.
    const address = addresses.get(name)
    const isOurs = address !== undefined && before?.includes(address) === true
    if (hash !== undefined && !isOurs) throw notOurs(join(folder, name))
    outdated.set(join(folder, name), () => writeFont(target, name, font, files))
  }
  for (const [path, other] of beside)
    if ((await readOwn(path)) !== other) outdated.set(path, () => replaceFile(path, other))
  // Write this file last, because it refers to the fonts.
  if (before !== text) outdated.set(file, () => replaceFile(file, text))
  return outdated
}

/** Reads a file that may be replaced. @throws ContentSpaceError `fileSystem` for a user's own file */
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
