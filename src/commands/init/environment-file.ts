import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'dotenv'
import { readEnvironment } from '../../config/environment.js'
import { readText, replaceFile } from '../../disk/replace-file.js'
import type { Terminal } from '../../terminal/terminal.js'
import { variableLine, variablesOf, type Access } from './templates.js'

/**
 * Adds the given values to `.env.local`. Keeps variables that already have a value there.
 * @param needed whether the project needs the variables. A new file then also contains lines for missing variables.
 */
export async function writeEnvironment(root: string, access: Access, env: Terminal['env'], needed: boolean) {
  const given = Object.entries(variablesOf(access)).filter((entry): entry is [string, string] => Boolean(entry[1]))
  const local = join(root, '.env.local')
  const onlyShared = given.length === 0 && !existsSync(local) && existsSync(join(root, '.env'))
  const file = onlyShared ? '.env' : '.env.local'
  const text = await readText(local)
  const values = parse(text ?? '')
  const missing = needed && !onlyShared && text === undefined ? unsetVariables(root, env) : []
  const added = [
    ...given.filter(([name]) => !values[name]),
    ...missing.filter((name) => !given.some(([own]) => own === name)).map((name): [string, string] => [name, '']),
  ]
  // Make it readable only by its owner, because it contains the token.
  if (added.length > 0) await replaceFile(local, withVariables(text ?? '', added), { mode: 0o600 })
  const exists = existsSync(join(root, file))
  const outcome: 'written' | 'kept' | 'none' = added.length > 0 ? 'written' : exists ? 'kept' : 'none'
  return {
    /** `.env.local`, which is for secrets, or `.env` if it exists and no values were given. */
    file,
    outcome,
    /** Names of variables whose value in the file differs from the given value. */
    different: given.filter(([name, value]) => values[name] && values[name] !== value).map(([name]) => name),
    /** Names of variables that weren't written because the environment already has them. */
    fromEnvironment:
      access.folder === undefined
        ? Object.keys(variablesOf({})).filter((name) => env[name] && !given.some(([own]) => own === name))
        : [],
    /** Names of variables without a value. */
    unset: needed ? unsetVariables(root, env) : [],
  }
}

function withVariables(text: string, added: readonly [string, string][]): string {
  let result = text
  const appended: string[] = []
  for (const [name, value] of added) {
    const empty = new RegExp(`^(?:export )?${name}=[ \\t]*$`, 'm')
    if (empty.test(result)) result = result.replace(empty, () => variableLine(name, value))
    else appended.push(`${variableLine(name, value)}\n`)
  }
  return [result, result === '' || result.endsWith('\n') ? '' : '\n', ...appended].join('')
}

function unsetVariables(root: string, env: Terminal['env']): string[] {
  const { url, id, token } = readEnvironment([root], 'production', env)
  const values = variablesOf({ url, spaceId: id, token })
  return Object.keys(values).filter((name) => !values[name])
}
