import type { AssetItem, Kit, SectionContent } from '../asset.js'
import { addTo } from '../text/group-by.js'
import { omitUndefined } from '../text/omit-undefined.js'
import { objectType, stringType } from './object-type.js'
import { exactType, sharedBody, structuralType, type TypeBodies, type TypeShape } from './types.js'

export interface CollectionExport {
  name: string
  shape: TypeShape
  /** The comment, if the asset needs one. */
  comment: string | undefined
  /** The specifier and export that already declare the asset. */
  earlier: { specifier: string; name: string } | undefined
}

/**
 * Declares many assets. The types are the same as in a small collection, and compilers display them the same way. The
 * common part of the assets is written once, and each asset and item takes one line.
 * @param tree the default export, with the type of each asset
 * @param bodies contains the bodies of the exports' shapes
 */
export function largeCollectionLines(
  exports: readonly CollectionExport[],
  tree: Kit<string> | SectionContent<string>,
  bodies: TypeBodies,
): string[] {
  const own = exports.filter(({ earlier }) => earlier === undefined)
  const items = itemShapes(tree, bodies)
  const shared = shareTypes([...own.map(({ shape }) => shape), ...items.values()])
  const lines = new Map<unknown, string>([...items].map(([item, shape]) => [item, `\n${shared.write(shape)}`]))
  return [
    ...shared.lines,
    ...own.flatMap(({ name, shape, comment }, at) => [
      ...(at === 0 ? ['export const'] : []),
      ...(comment === undefined ? [] : [comment]),
      `${name}:${shared.write(shape)}${at === own.length - 1 ? '' : ','}`,
    ]),
    ...reExports(exports),
    // In types, line breaks occur only before items.
    `const $default: ${exactType(tree, lines).replaceAll(', \n', ',\n')}`,
    'export default $default',
  ]
}

function itemShapes(tree: Kit<string> | SectionContent<string>, bodies: TypeBodies): Map<AssetItem<string>, TypeShape> {
  const sections = 'sections' in tree ? tree.sections : [tree]
  const items = sections.flatMap((section) => section.items.filter((item) => item.type === 'asset'))
  return new Map(items.map((item) => [item, itemShape(item, bodies)]))
}

/**
 * Returns the shape of an item's type. If the type were written in the item itself, compilers would display `asset:
 * typeof heroPhoto` instead of all fields of the asset. A mapped type keeps the properties as written in the types that
 * it maps.
 */
function itemShape(item: AssetItem<string>, bodies: TypeBodies): TypeShape {
  const own = stringType(item.uuid)
  const shared = `(${objectType(describedFields(item, 'U'))} & A)`
  return {
    type: () => objectType([...describedFields(item, own), ['asset', item.asset]]),
    body: sharedBody(`{ [K in keyof ${shared}]: ${shared}[K] }`, ['U', 'A'], bodies),
    values: [own, `{asset:${item.asset}}`],
  }
}

/**
 * Returns the fields of an item except its asset.
 * @param uuid the type of its uuid
 */
function describedFields(
  { type, displaySize, display, raw }: AssetItem<string>,
  uuid: string,
): [name: string, type: string][] {
  const fields = {
    type: stringType(type),
    uuid,
    displaySize: displaySize === undefined ? undefined : stringType(displaySize),
    display: display === undefined ? undefined : structuralType(display),
    raw: raw === undefined ? undefined : 'unknown',
  }
  return Object.entries(omitUndefined(fields))
}

/** Exports assets of other modules and imports them too, because the default export refers to them. */
function reExports(exports: readonly CollectionExport[]): string[] {
  const names = new Map<string, string[]>()
  for (const { name, earlier } of exports) {
    if (earlier === undefined) continue
    addTo(names, earlier.specifier, name === earlier.name ? name : `${earlier.name} as ${name}`)
  }
  const imported = exports.flatMap(({ name, earlier }) => (earlier === undefined ? [] : [name]))
  if (imported.length === 0) return []
  return [
    ...[...names].map(([specifier, texts]) => `import {\n${texts.join(',\n')}\n} from ${stringType(specifier)}`),
    `export {\n${imported.join(',\n')}\n}`,
  ]
}

/** Types of up to this many characters aren't shared. */
const shortest = 16

/**
 * Declares each body that several shapes share as a type with parameters.
 *
 * In hovers and errors, compilers display the name of a type alias instead of its content. The content is therefore
 * wrapped in a tuple, whose elements don't have a name.
 */
function shareTypes(shapes: readonly TypeShape[]): { lines: string[]; write(shape: TypeShape): string } {
  const counts = new Map<TypeShape['body'], number>()
  for (const { body } of shapes) counts.set(body, (counts.get(body) ?? 0) + 1)
  const shared = new Map<TypeShape['body'], string>()
  const lines: string[] = []
  for (const [body, count] of counts) {
    const { text, parameters } = body
    if (text.length <= shortest || count === 1) continue
    // The names of exports don't contain `$`.
    const name = `$${shared.size + 1}`
    shared.set(body, name)
    lines.push(`type ${name}${argumentsOf(parameters, ', ')} = [${text}][0]`)
  }
  return {
    lines,
    write(shape) {
      const name = shared.get(shape.body)
      return name === undefined ? shape.type() : `${name}${argumentsOf(shape.values, ',')}`
    },
  }
}

function argumentsOf(texts: readonly string[], separator: string): string {
  return texts.length === 0 ? '' : `<${texts.join(separator)}>`
}
