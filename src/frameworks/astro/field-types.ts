import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { readText, replaceFile } from '../../disk/replace-file.js'
import { exactType } from '../../modules/types.js'
import { isObject } from '../../text/json.js'
import { typesFolder } from './field-names.js'
import type { Entries } from './loader.js'

/**
 * Writes the module that `fieldsType` refers to. Astro requests the types of a collection before it loads the entries,
 * but checks the types afterwards, so the module can be written late.
 */
export async function writeFieldTypes(root: URL, name: string, entries: Entries): Promise<void> {
  const values = new Map<string, Set<string>>()
  for (const { data } of entries.values())
    for (const [key, value] of Object.entries(isObject(data['fields']) ? data['fields'] : {}))
      values.set(key, (values.get(key) ?? new Set()).add(exactType(value)))
  const fields = [...values].map(([key, types]) => `  ${JSON.stringify(key)}?: ${[...types].join(' | ')}\n`)
  const text = `export type Fields = {\n${fields.join('')}}\n`
  const path = join(fileURLToPath(root), typesFolder, `${encodeURIComponent(name)}.d.ts`)
  if ((await readText(path)) !== text) await replaceFile(path, text)
}
