import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/**
 * Writes the code of the component runtimes as CommonJS, by file name, because pulled modules contain this code.
 * @param {string} folder of the compiled runtimes
 * @param {string} file
 */
export async function writeCommonJsRuntimes(folder, file) {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.js')).toSorted()
  const texts = await Promise.all(names.map(async (name) => toCommonJs(await readFile(join(folder, name), 'utf8'))))
  await writeFile(file, JSON.stringify(Object.fromEntries(names.map((name, at) => [name, texts[at]]))))
}

/**
 * Converts a module if each of its imports and exports is a statement at the beginning of a line. Tests run the result.
 * @param {string} text
 */
function toCommonJs(text) {
  const exported = []
  const converted = text
    .replace(/^import \{([^}]*)\} from (['"][^'"]+['"]);?$/gm, (_, names, from) => {
      return `const {${names.replaceAll(' as ', ': ')}} = require(${from});`
    })
    .replace(/^import (\w+) from (['"][^'"]+['"]);?$/gm, 'const $1 = require($2).default;')
    .replace(/^export (?=function (\w+)|const (\w+))/gm, (_, fn, constant) => {
      const name = fn ?? constant
      exported.push(`exports.${name} = ${name};\n`)
      return ''
    })
    .replace(/^export \{([^}]*)\};?$/gm, (_, names) => {
      for (const pair of names.split(',')) {
        const [local, name = local] = pair.trim().split(' as ')
        exported.push(`exports.${name} = ${local};\n`)
      }
      return ''
    })
  return `${converted.trimEnd()}\n${exported.join('')}`
}
