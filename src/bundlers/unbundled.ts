import { ContentSpaceError } from '../errors.js'

/**
 * Checks that a library's script doesn't import ids. A build that doesn't bundle keeps the source's imports.
 * @param file the path of the script in the output
 * @throws ContentSpaceError `invalidId`
 */
export async function rejectImports(code: string, file: string): Promise<void> {
  if (!code.includes('content-space:')) return
  const { scanSource } = await import('../source/uses.js')
  const [use] = scanSource(code, file)
  if (use) throw unbundledId(use.specifier, file)
}

/** @param file the path of the output file that would contain the id */
export function unbundledId(specifier: string, file: string): ContentSpaceError {
  // Remove the encoded query that the plugin adds to an id when it narrows the import of a kit.
  const id = specifier.replace(/\/~.*/, '')
  return new ContentSpaceError('invalidId', `${id} would stay in ${file}, because the build does not bundle.`, {
    hint: 'Let the build bundle its modules: set bundle: true.',
    import: id,
  })
}
