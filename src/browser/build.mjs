import { copyFile, readFile, writeFile } from 'node:fs/promises'
import { build } from 'esbuild'

/** The libraries that are part of the script, whose licenses ask for a copy of their texts. */
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
const licenses = await Promise.all(libraries.map(license))
await writeFile('dist/browser/licenses.txt', licenses.join('\n\n'))

/** @param {string} library */
async function license(library) {
  const folder = `node_modules/${library}`
  const names = ['LICENSE', 'LICENSE.md', 'license', 'license.md']
  const texts = await Promise.all(names.map((name) => readFile(`${folder}/${name}`, 'utf8').catch(() => '')))
  const text = texts.find(Boolean)
  if (!text) throw new Error(`${folder} has no license text: name its file in src/browser/build.mjs`)
  return `${library}\n\n${text.trim()}`
}
