import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'

/**
 * Writes the declarations of entries for TypeScript before 5.6, where `export { x as 'module.exports' }` is a syntax
 * error. These versions don't let CommonJS import ES modules, so they don't need the export.
 * @param {Record<string, string>[]} entries of `exports` in package.json
 */
export async function writeOlderTypes(entries) {
  for (const { types, 'types@<5.6': older } of entries) {
    if (older === undefined) continue
    const text = await readFile(types, 'utf8')
    await mkdir(dirname(older), { recursive: true })
    const own = text.replace(/, \w+ as 'module\.exports'/, '').replaceAll(/(['"])\.\//g, '$1../entries/')
    if (own.includes('module.exports')) throw new Error(`older-types.mjs does not know how ${join(types)} exports.`)
    await writeFile(older, own)
  }
}
