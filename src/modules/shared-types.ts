import { sizeParameters, type TypeShape } from './types.js'

/** Types that are declared once and used for many assets or items. */
export interface SharedTypes {
  /** The declarations of these types. */
  lines: readonly string[]
  /** Returns the type that a shape stands for. */
  write(this: void, shape: TypeShape): string
}

interface SharedType {
  /** `$1`: names of exports contain no `$`. */
  name: string
  /** Sizes that most shapes have, by parameter. */
  defaults: ReadonlyMap<string, string>
}

/** A type that is at most as long as this is not shared. */
const shortest = 16

/**
 * Declares each body that several shapes have as a type with parameters.
 *
 * Compilers show the name of a type alias in place of its content, in hovers and in errors. The content is therefore
 * the element of a tuple: such an alias stands for the element, which has no name.
 */
export function shareTypes(shapes: readonly TypeShape[]): SharedTypes {
  const shared = new Map<string, SharedType>()
  const lines: string[] = []
  for (const [body, values] of valuesByBody(shapes)) {
    if (body.length <= shortest || values.length < 2) continue
    const name = `$${shared.size + 1}`
    const defaults = defaultsOf(values)
    const parameters = values[0]?.map(([parameter]) => {
      const value = defaults.get(parameter)
      return value === undefined ? parameter : `${parameter} = ${value}`
    })
    shared.set(body, { name, defaults })
    lines.push(
      parameters?.length ? `type ${name}<${parameters.join(', ')}> = [${body}][0]` : `type ${name} = [${body}][0]`,
    )
  }
  return {
    lines,
    write(shape) {
      const type = shared.get(shape.body)
      return type === undefined ? shape.type : reference(type, shape)
    },
  }
}

type Values = TypeShape['values']

function valuesByBody(shapes: readonly TypeShape[]): Map<string, Values[]> {
  const found = new Map<string, Values[]>()
  for (const { body, values } of shapes) {
    const same = found.get(body)
    if (same) same.push(values)
    else found.set(body, [values])
  }
  return found
}

/** Only the last parameters of a type can have defaults. */
function defaultsOf(all: readonly Values[]): Map<string, string> {
  const defaults = new Map<string, string>()
  for (let at = (all[0]?.length ?? 0) - 1; at >= 0; at--) {
    const parameter = all[0]?.[at]?.[0]
    if (parameter === undefined || !sizeParameters.includes(parameter)) break
    const counts = new Map<string, number>()
    for (const values of all) {
      const value = values[at]?.[1] ?? ''
      counts.set(value, (counts.get(value) ?? 0) + 1)
    }
    const usual = [...counts].find(([, count]) => count > all.length / 2)
    if (usual === undefined) break
    defaults.set(parameter, usual[0])
  }
  return defaults
}

function reference({ name, defaults }: SharedType, { values }: TypeShape): string {
  const last = values.findLastIndex(([parameter, value]) => defaults.get(parameter) !== value)
  return last === -1
    ? name
    : `${name}<${values
        .slice(0, last + 1)
        .map(([, value]) => value)
        .join(',')}>`
}
