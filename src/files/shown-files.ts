import { createFiles, type Files, type FilesContext } from './files.js'

interface ShownContext extends Pick<FilesContext, 'space'> {
  options: Pick<FilesContext, 'cacheDir' | 'offline' | 'strict'>
}

/**
 * Opens the files of all versions. The lockfile has the hashes of one version only, and what is only looked at counts
 * neither in it nor in the summary of a build.
 */
export function openShownFiles({ options: { cacheDir, offline, strict }, space }: ShownContext): Files {
  const unlocked = { frozen: false, locked: () => undefined, onFile: () => {}, warn: () => {} }
  return createFiles({ cacheDir, space, offline, strict, ...unlocked })
}
