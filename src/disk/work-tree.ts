import { readFileSync, realpathSync } from 'node:fs'
import { lstat, realpath } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import writeFileAtomic from 'write-file-atomic'
import { ContentSpaceError } from '../errors.js'
import { fileError } from './file-error.js'
import { git, gitBytes } from './git.js'
import { takeLock } from './process-lock.js'
import { readRegularFile } from './read-file.js'
import { whole } from './replace-file.js'

/** A file to change. */
export interface Edit {
  /** Relative to the root of the project, with forward slashes. */
  file: string
  /** The bytes from which the new text was made. */
  before: Buffer
  after: string
}

/** The files of a project that are safe to change, because Git can restore them. */
export type WorkTree = Awaited<ReturnType<typeof openWorkTree>>

/**
 * Opens the Git work tree of a project for edits.
 * @param flag the command's name in errors: `--fix`
 * @param force whether the tree may have uncommitted changes
 * @throws ContentSpaceError `invalidOption` without a repository, and for uncommitted changes. Untracked files count
 *   regardless of Git's settings.
 */
export async function openWorkTree(root: string, flag: string, force: boolean) {
  const status = await git(root, 'status', '--porcelain', '--untracked-files=all', '--', '.').catch(() => undefined)
  if (status === undefined)
    throw new ContentSpaceError(
      'invalidOption',
      `${root} is not in a Git repository, so ${flag} could not be undone.`,
      {
        hint: 'Run git init, and commit the project.',
      },
    )
  if (status !== '' && !force)
    throw new ContentSpaceError('invalidOption', `${root} has uncommitted changes.`, {
      lines: ['Git could not undo the changes of this command separately.'],
      hint: 'Commit or stash them, or use --force (in programs: force: true).',
    })
  // Entries with a tag other than `H` are either flagged as unchanged, so that Git ignores their changes, or unmerged.
  const listed = (await git(root, 'ls-files', '-v', '-z', '--', '.')).split('\0')
  const tracked = new Set(listed.flatMap((line) => (line.startsWith('H ') ? line.slice(2) : [])))
  const real = await realpath(root)

  return {
    tracked,
    problem,
    write,
  }

  /** Returns why a file with these bytes must not be changed, or undefined if Git can restore it. */
  async function problem(file: string, bytes: Buffer): Promise<string | undefined> {
    if (!tracked.has(file)) return 'Git does not track it'
    const path = join(real, file)
    const stats = await lstat(path).catch(() => undefined)
    if (!stats?.isFile() || (await realpath(path)) !== resolve(path)) return 'it is a link, or behind one'
    // Git filters, such as line break conversion, may restore different bytes.
    const restored = force ? bytes : await gitBytes(root, 'cat-file', '--filters', `HEAD:./${file}`).catch(() => {})
    return restored?.equals(bytes) ? undefined : 'Git would restore different bytes'
  }

  /**
   * Writes all edits or none. Prevents two processes from writing to the same tree at once.
   * @throws ContentSpaceError `fileSystem`, including for a file that has changed since it was read
   */
  async function write(edits: readonly Edit[]): Promise<void> {
    const lockFile = resolve(root, (await git(root, 'rev-parse', '--git-path', 'content-space-edits')).trimEnd())
    const release = await takeLock(lockFile)
    try {
      for (const edit of edits) await requireUnchanged(edit)
      const written: Edit[] = []
      try {
        for (const edit of edits) {
          await replace(edit)
          written.push(edit)
        }
      } catch (error) {
        for (const edit of written) await undo(edit)
        throw error
      }
    } finally {
      release?.()
    }
  }

  async function requireUnchanged({ file, before }: Edit): Promise<void> {
    const path = join(real, file)
    const isRegular = (await lstat(path).catch(() => undefined))?.isFile() && (await realpath(path)) === path
    const bytes = isRegular ? await readRegularFile(path).catch(() => undefined) : undefined
    if (!bytes?.equals(before)) throw changed(file)
  }

  /** Renames a new file into place, which replaces a link instead of following it. */
  async function replace({ file, before, after }: Edit): Promise<void> {
    const path = join(real, file)
    const { tmpfileCreated } = whole(after)
    try {
      await writeFileAtomic(path, '', {
        tmpfileCreated(temporary) {
          tmpfileCreated(temporary)
          if (realpathSync(path) !== path || !readFileSync(path).equals(before)) throw changed(file)
        },
      })
    } catch (error) {
      throw fileError(error, path)
    }
  }

  async function undo({ file, before, after }: Edit): Promise<void> {
    const path = join(real, file)
    if (!readFileSync(path).equals(Buffer.from(after))) return
    await writeFileAtomic(path, '', { tmpfileCreated: whole(before).tmpfileCreated })
  }
}

function changed(file: string): ContentSpaceError {
  return new ContentSpaceError('fileSystem', `${file} has changed in the meantime. Nothing was written.`, {
    hint: 'Run the command again.',
  })
}
