import { join } from 'node:path'
import { readText, replaceFile } from '../../disk/replace-file.js'
import { jsonObjectOf } from '../../text/json.js'

export interface Script {
  name: string
  command: string
}

/**
 * Adds or replaces scripts of `package.json`. Keeps the indentation of the file.
 * @returns false if `package.json` doesn't exist or isn't a JSON object
 */
export async function writeScripts(root: string, added: readonly Script[]): Promise<boolean> {
  const path = join(root, 'package.json')
  const text = (await readText(path)) ?? ''
  const manifest = jsonObjectOf(text)
  if (manifest === undefined) return false
  const indentation = /^[\t ]+/m.exec(text)?.[0] ?? 2
  const scripts = Object.fromEntries(added.map(({ name, command }) => [name, command]))
  const changed = { ...manifest, scripts: { ...Object(manifest['scripts']), ...scripts } }
  await replaceFile(path, `${JSON.stringify(changed, null, indentation)}${text.endsWith('\n') ? '\n' : ''}`)
  return true
}
