import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'

const specifiers = /\b(?:from|import)\s*\(?\s*['"](\.{1,2}\/[^'"]+)['"]/g

/**
 * Removes the declarations that users of the package can't reach, because tsc writes all of them.
 * @param all all declarations @param entries the declarations that package.json exports
 */
export async function removeUnneededTypes(all, entries) {
  const needed = new Set(entries)
  for (const file of needed) {
    const text = await readFile(file, 'utf8')
    for (const [, specifier] of text.matchAll(specifiers)) needed.add(join(file, '..', declarationOf(specifier)))
  }
  await Promise.all(all.filter((file) => !needed.has(file)).map((file) => rm(file)))
}

/** @param specifier of a module */
function declarationOf(specifier) {
  return specifier.replace(/\.(c?)js$/, '.d.$1ts')
}
