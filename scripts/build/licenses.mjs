import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'

/**
 * Writes the license texts of bundled libraries, because these licenses require a copy. Writes a text that several
 * libraries share only once.
 * @param {readonly string[]} folders of the libraries @param {string} file
 */
export async function writeLicenses(folders, file) {
  const libraries = await Promise.all(folders.map(describe))
  const parts = [...new Set(libraries.map(({ text }) => text))].map((text) => {
    const names = new Set(libraries.filter((library) => library.text === text).map(({ name }) => name))
    return `${[...names].join('\n\n')}\n\n${text}`
  })
  await writeFile(file, parts.join('\n\n'))
}

/**
 * Writes the list of bundled libraries, for audits: https://cyclonedx.org/docs/1.6/json/
 * @param {readonly string[]} folders of the libraries @param {string} file
 */
export async function writeSbom(folders, file) {
  const libraries = await Promise.all(folders.map(describe))
  const components = libraries.map(({ name, version, license }) => ({
    type: 'library',
    name,
    version,
    purl: `pkg:npm/${name.replace('@', '%40')}@${version}`,
    licenses: [{ license: { id: license } }],
  }))
  const sbom = { bomFormat: 'CycloneDX', specVersion: '1.6', version: 1, components }
  await writeFile(file, `${JSON.stringify(sbom)}\n`)
}

/** @param {string} folder of a library */
async function describe(folder) {
  const { name, version, license } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'))
  const file = (await readdir(folder)).find((entry) => /^licen[cs]e/i.test(entry))
  // A package without a license text only names its license.
  const text = file === undefined ? `License: ${license}` : await readFile(join(folder, file), 'utf8')
  return { name, version, license, text: text.trim() }
}

/**
 * Returns the folders of the libraries that contain modules, sorted.
 * @param {readonly string[]} files the paths of modules
 */
export function librariesOf(files) {
  const folders = files
    .filter((file) => !file.startsWith('\0'))
    .map((file) => /^.*\bnode_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+/.exec(resolve(file))?.[0])
  return [...new Set(folders.filter((folder) => folder !== undefined))].toSorted()
}
