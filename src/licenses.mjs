import { readFile, writeFile } from 'node:fs/promises'

/**
 * Writes the licenses of libraries that are a part of a script, which ask for a copy of their texts. A text that several
 * libraries have is written once.
 * @param {readonly string[]} libraries @param {string} file
 */
export async function writeLicenses(libraries, file) {
  const texts = await Promise.all(libraries.map(license))
  const parts = [...new Set(texts)].map((text) => {
    const names = libraries.filter((_, index) => texts[index] === text)
    return `${names.join('\n\n')}\n\n${text}`
  })
  await writeFile(file, parts.join('\n\n'))
}

/** @param {string} library */
async function license(library) {
  const folder = `node_modules/${library}`
  const names = ['LICENSE', 'LICENSE.md', 'license', 'license.md']
  const texts = await Promise.all(names.map((name) => readFile(`${folder}/${name}`, 'utf8').catch(() => '')))
  const text = texts.find(Boolean)
  if (!text) throw new Error(`${folder} has no license text: name its file in src/licenses.mjs`)
  return text.trim()
}
