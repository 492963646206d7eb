import type { FileDescriptor } from '../../files/plan.js'
import type { DevFiles } from '../references/dev-files.js'
import type { LastingMarks } from '../references/marks.js'
import type { Session } from '../session/session.js'
import type { AddressOf } from './style-sheet.js'

/** Farm resolves URLs in style sheets unless they begin with a slash. */
const ABSOLUTE_PATH = '/'

/** Returns the hook that replaces ids in compiled style sheets with marks, or with URLs of the dev server. */
export function styleSheetHook(session: Session, devFiles: DevFiles, marks: LastingMarks) {
  return {
    filters: { moduleTypes: ['css'], resolvedPaths: [] },
    async executor({ content, resolvedPath }: { content: string; resolvedPath: string }) {
      if (!content.includes('content-space:')) return undefined
      const { replaceIds } = await import('./style-sheet.js')
      const replaced = await replaceIds(session, content, resolvedPath, (file) =>
        session.host.command === 'serve' ? devFiles.address(file) : ABSOLUTE_PATH + marks.ofFile(file),
      )
      return { content: replaced.toString(), moduleType: 'css' }
    },
  }
}

export async function replaceInStyleSheet(
  marks: LastingMarks,
  text: string,
  addressOf: (file: FileDescriptor) => Promise<string>,
): Promise<string> {
  return marks.replaceInText(text, ABSOLUTE_PATH, async (target) => ('file' in target ? addressOf(target.file) : ''))
}

export async function replaceInPage(session: Session, html: string, page: string, addressOf: AddressOf) {
  if (!html.includes('content-space:')) return html
  const [{ replaceIdsInPage }, { makeAbsolute }] = await Promise.all([import('./html.js'), import('./absolute.js')])
  return makeAbsolute(session, await replaceIdsInPage(session, html, page, addressOf), page)
}
