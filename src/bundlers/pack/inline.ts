import { join } from 'node:path'
import type { FileDescriptor } from '../../files/plan.js'
import type { Session } from '../session/session.js'
import type { Compiler } from 'webpack'

/** The limit in bytes that webpack and Rspack apply if a condition has no `maxSize`. */
const DEFAULT_LIMIT = 8096

/** The default of Rsbuild, which sets it in all its rules. */
const RSBUILD_LIMIT = 4096

/**
 * Returns the data URI of a file that the configuration inlines in scripts, as it would the project's own images:
 * through an explicit `dataUrlCondition` or the type `asset/inline`. Ignores the bundlers' default limits, because most
 * logos are smaller.
 *
 * We decide this while modules are built, as Rspack does. We therefore read files before unused code is removed, except
 * originals that are known to exceed the limit.
 * @param ofAll the condition in the configuration for all asset modules
 * @returns undefined for a file that isn't inlined
 */
export async function smallFile(
  file: FileDescriptor,
  { options, context }: Compiler,
  ofAll: unknown,
  session: Session,
): Promise<string | undefined> {
  const { name, ext, size, cut, recipe } = file
  const filename = join(context, `${name}.${ext}`)
  const { type = 'asset', condition = ofAll } = effectOf(options.module.rules, filename)
  if (type === 'asset/inline') return session.small(file, () => true)
  if (type !== 'asset' || condition === undefined) return undefined
  if (typeof condition === 'function')
    return session.small(file, (bytes) => Boolean(condition(Buffer.from(bytes), { filename })))
  const { maxSize = DEFAULT_LIMIT } = Object(condition)
  if (maxSize === RSBUILD_LIMIT && isOfRsbuild(options)) return undefined
  const isOriginal = cut === undefined && recipe === undefined
  if (isOriginal && size !== undefined && size > maxSize) return undefined
  return session.small(file, (bytes) => bytes.length <= maxSize)
}

function isOfRsbuild({ plugins }: Compiler['options']): boolean {
  return plugins.some((plugin) => Object(plugin).name === 'RsbuildCorePlugin')
}

/** The effect of module rules on a file. */
interface Effect {
  type?: unknown
  condition?: unknown
}

/**
 * Conditions of rules that don't depend on the name of a file. A rule that uses one applies only to some imports of the
 * file.
 */
const OTHERS = [
  'compiler',
  'dependency',
  'descriptionData',
  'issuer',
  'issuerLayer',
  'layer',
  'mimetype',
  'phase',
  'scheme',
  'with',
  'assert',
]

/** Returns the combined effect of all rules that match a path. Later rules override earlier ones. */
function effectOf(rules: unknown, path: string): Effect {
  const effects = (Array.isArray(rules) ? rules : []).map((rule) => (matchesRule(rule, path) ? ofRule(rule, path) : {}))
  return Object.assign({}, ...effects)
}

function ofRule({ type, parser, rules, oneOf }: Record<string, unknown>, path: string): Effect {
  const condition: unknown = Object(parser).dataUrlCondition
  const first = Array.isArray(oneOf) ? oneOf.find((rule) => matchesRule(rule, path)) : undefined
  return {
    ...(type === undefined ? {} : { type }),
    ...(condition === undefined ? {} : { condition }),
    ...effectOf(rules, path),
    ...effectOf([first], path),
  }
}

function matchesRule(rule: unknown, path: string): rule is Record<string, unknown> {
  if (typeof rule !== 'object' || rule === null || OTHERS.some((key) => key in rule)) return false
  const { test, include, resource, realResource, exclude, resourceQuery, resourceFragment }: Record<string, unknown> = {
    ...rule,
  }
  return (
    [test, include, resource, realResource].every((condition) => matches(condition, path)) &&
    (exclude === undefined || !matches(exclude, path)) &&
    [resourceQuery, resourceFragment].every((condition) => matches(condition, ''))
  )
}

/** Checks whether a string meets a rule's condition, in any form that webpack and Rspack support. */
function matches(condition: unknown, text: string): boolean {
  if (condition === undefined) return true
  if (typeof condition === 'string') return text.startsWith(condition)
  if (typeof condition === 'function') return Boolean(condition(text))
  if (condition instanceof RegExp) return condition.test(text)
  if (Array.isArray(condition)) return condition.some((one) => matches(one, text))
  const { and = [], or, not, ...more }: Record<string, unknown> = { ...Object(condition) }
  const all = Array.isArray(and) ? and : [and]
  return (
    Object.keys(more).length === 0 &&
    all.every((one) => matches(one, text)) &&
    matches(or, text) &&
    (not === undefined || !matches(not, text))
  )
}
