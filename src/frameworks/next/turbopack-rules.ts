import { isObject } from '../../text/json.js'

type Rules = Record<string, unknown>

/** The part of a Turbopack rule that is changed here. */
interface Rule {
  condition?: unknown
  [key: string]: unknown
}

/** Prevents the rules of a project from matching files of this package. @param folder with a trailing slash */
export function exceptFiles(rules: Rules = {}, folder: string): Rules {
  const others = { not: { path: `**/${folder}**` } }
  const except = (rule: Rule): Rule => {
    const { condition } = rule
    return { ...rule, condition: condition === undefined ? others : { all: [others, condition] } }
  }
  return Object.fromEntries(Object.entries(rules).map(([glob, rule]) => [glob, listOf(rule).map(except)]))
}

/**
 * Adds a loader for files with certain content, before other rules. Replaces an existing rule that has the same loader.
 */
export function withLoader(
  rules: Rules = {},
  glob: string,
  content: RegExp,
  added: { loader: string; options: object },
): Rules {
  const others = listOf(rules[glob]).filter(({ loaders }) => !JSON.stringify(loaders ?? []).includes(added.loader))
  return { ...rules, [glob]: [{ condition: { content }, loaders: [added] }, ...others] }
}

/**
 * Returns the rules for some files. A list may contain both rules and loaders, and its loaders together form one rule.
 */
function listOf(given: unknown): Rule[] {
  if (given === undefined) return []
  const entries: unknown[] = Array.isArray(given) ? given : [given]
  const loaders = entries.filter((entry) => !isRule(entry))
  return [...entries.filter(isRule), ...(loaders.length > 0 ? [{ loaders }] : [])]
}

function isRule(entry: unknown): entry is Rule {
  return isObject(entry) && !('loader' in entry)
}
