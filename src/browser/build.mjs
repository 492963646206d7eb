import { copyFile } from 'node:fs/promises'
import { build } from 'esbuild'
import { writeLicenses } from '../licenses.mjs'

/** The libraries that are part of the script. */
const libraries = ['preact', '@leeoniya/ufuzzy', 'culori', 'leven', 'pretty-bytes']

await build({
  entryPoints: ['src/browser/app.tsx'],
  outdir: 'dist/browser',
  bundle: true,
  minify: true,
  format: 'esm',
  target: 'es2022',
  jsx: 'automatic',
  jsxImportSource: 'preact',
  legalComments: 'none',
  logLevel: 'warning',
})
await copyFile('src/browser/index.html', 'dist/browser/index.html')
await writeLicenses(libraries, 'dist/browser/licenses.txt')
