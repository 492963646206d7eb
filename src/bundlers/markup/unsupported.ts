import { ContentSpaceError } from '../../errors.js'
import { STYLE_SHEET } from '../plugin.js'

/**
 * Returns hooks that reject ids in style sheets, for bundlers that don't build style sheets themselves. Their plugins
 * for style sheets would leave ids unchanged, as broken links.
 */
export function rejectingHooks() {
  return {
    transform: {
      order: 'pre' as const,
      filter: { id: STYLE_SHEET, code: 'content-space:' },
      async handler(code: string, sheet: string) {
        if (STYLE_SHEET.test(sheet)) await rejectIds(code, sheet)
      },
    },
    async generateBundle(_output: unknown, bundle: Record<string, { type: string; source?: string | Uint8Array }>) {
      for (const name of Object.keys(bundle).filter((path) => path.endsWith('.css'))) {
        // Rolldown copies a source each time it is read.
        const { source } = bundle[name] ?? {}
        if (source !== undefined) await rejectIds(Buffer.from(source).toString(), name)
      }
    },
  }
}

/** @throws ContentSpaceError `invalidId` if a style sheet contains an id */
async function rejectIds(code: string, sheet: string): Promise<void> {
  if (!code.includes('content-space:')) return
  const { idsInStyleSheet } = await import('../../source/style-sheet.js')
  const [found] = idsInStyleSheet(code, { preprocessor: !sheet.endsWith('.css') })
  if (found === undefined) return
  throw new ContentSpaceError('invalidId', `${found.id} is in a style sheet, which this bundler does not build.`, {
    hint:
      'Import it in a script and set the style there, ' +
      'or write the file with npx content-space pull and refer to it by its path.',
    import: found.id,
    importer: sheet,
  })
}
