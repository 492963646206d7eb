import { createFiles, type Files, type FilesContext } from './files.js'

interface ShownContext extends Pick<FilesContext, 'space'> {
  options: Pick<FilesContext, 'cacheDir' | 'offline' | 'strict'>
  locked?: FilesContext['locked']
}

/**
 * Opens the files of all versions. The lockfile has the hashes of one version only, and what is only looked at counts
 * neither in it nor in the summary of a build.
 */
export function openShownFiles({ options, space, locked = () => undefined }: ShownContext): Files {
  const { cacheDir, offline, strict } = options
  return createFiles({ cacheDir, space, offline, strict, locked, frozen: false, onFile: () => {}, warn: () => {} })
}
