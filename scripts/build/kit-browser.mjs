import { copyFile } from 'node:fs/promises'
import { build } from 'esbuild'

/**
 * Builds the page of the kit browser.
 * @returns the paths of the files in it
 */
export async function buildBrowser() {
  const { metafile } = await build({
    entryPoints: ['src/commands/browse/page/app.tsx'],
    outdir: 'dist/browser',
    bundle: true,
    minify: true,
    format: 'esm',
    target: 'es2022',
    jsx: 'automatic',
    jsxImportSource: 'preact',
    legalComments: 'none',
    logLevel: 'warning',
    metafile: true,
  })
  await copyFile('src/commands/browse/page/index.html', 'dist/browser/index.html')
  return Object.keys(metafile.inputs)
}
