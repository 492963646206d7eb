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
  /** Sizes that most shapes have, in the order of the parameters. */
  defaults: readonly (string | undefined)[]
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
  for (const [body, { parameters, values }] of valuesByBody(shapes)) {
    if (body.length <= shortest || values.length < 2) continue
    const name = `$${shared.size + 1}`
    const defaults = defaultsOf(parameters, values)
    const written = parameters.map((parameter, at) => {
      const value = defaults[at]
      return value === undefined ? parameter : `${parameter} = ${value}`
    })
    shared.set(body, { name, defaults })
    lines.push(
      written.length > 0 ? `type ${name}<${written.join(', ')}> = [${body}][0]` : `type ${name} = [${body}][0]`,
    )
  }
  return {
    lines,
    write(shape) {
      const type = shared.get(shape.body.text)
      return type === undefined ? shape.type() : reference(type, shape)
    },
  }
}

type Values = TypeShape['values']

interface Instances {
  parameters: readonly string[]
  values: Values[]
}

function valuesByBody(shapes: readonly TypeShape[]): Map<string, Instances> {
  const found = new Map<string, Instances>()
  for (const { body, values } of shapes) {
    const same = found.get(body.text)
    if (same) same.values.push(values)
    else found.set(body.text, { parameters: body.parameters, values: [values] })
  }
  return found
}

/** Only the last parameters of a type can have defaults. */
function defaultsOf(parameters: readonly string[], all: readonly Values[]): (string | undefined)[] {
  const defaults = parameters.map((): string | undefined => undefined)
  for (let at = parameters.length - 1; at >= 0; at--) {
    if (!sizeParameters.includes(parameters[at] ?? '')) break
    const counts = new Map<string, number>()
    for (const values of all) {
      const value = values[at] ?? ''
      counts.set(value, (counts.get(value) ?? 0) + 1)
    }
    const usual = [...counts].find(([, count]) => count > all.length / 2)
    if (usual === undefined) break
    defaults[at] = usual[0]
  }
  return defaults
}

function reference({ name, defaults }: SharedType, { values }: TypeShape): string {
  const last = values.findLastIndex((value, at) => defaults[at] !== value)
  return last === -1 ? name : `${name}<${values.slice(0, last + 1).join(',')}>`
}
