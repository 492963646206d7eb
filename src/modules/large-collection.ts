import type { AssetItem, Kit, SectionContent } from '../asset.js'
import { omitUndefined } from '../text/omit-undefined.js'
import { objectType, stringType } from './object-type.js'
import { exactType, structuralType, type TypeBody, type TypeShape } from './types.js'

export interface CollectionExport {
  name: string
  shape: TypeShape
  /** The comment, if it needs one. */
  comment: string | undefined
  /** Another module that declares the asset, and its export there. */
  earlier: { specifier: string; name: string } | undefined
}

/**
 * Declares many assets. The types are the same as those of a small collection, and compilers show the same. What assets
 * have in common is written once, and each asset and item has one line.
 * @param tree the default export, with the type of each asset
 */
export function largeCollectionLines(
  exports: readonly CollectionExport[],
  tree: Kit<string> | SectionContent<string>,
): string[] {
  const own = exports.filter(({ earlier }) => earlier === undefined)
  const items = itemShapes(tree)
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
    // Types contain line breaks only before items.
    `const $default: ${exactType(tree, lines).replaceAll(', \n', ',\n')}`,
    'export default $default',
  ]
}

/** Returns what items with assets have in common. */
function itemShapes(tree: Kit<string> | SectionContent<string>): Map<AssetItem<string>, TypeShape> {
  const sections = 'sections' in tree ? tree.sections : [tree]
  const items = sections.flatMap((section) => section.items.filter((item) => item.type === 'asset'))
  return new Map(items.map((item) => [item, itemShape(item)]))
}

/**
 * Compilers show `asset: typeof heroPhoto` in place of all fields of the asset if this type is written in the item
 * itself. A mapped type has properties as they are written in the types that it maps.
 */
function itemBody(item: AssetItem<string>): TypeBody {
  const shared = `(${objectType(describedFields(item, 'U'))} & A)`
  return { text: `{ [K in keyof ${shared}]: ${shared}[K] }`, parameters: ['U', 'A'] }
}

function itemShape(item: AssetItem<string>): TypeShape {
  const own = stringType(item.uuid)
  return {
    type: () => objectType([...describedFields(item, own), ['asset', item.asset]]),
    body: itemBody(item),
    values: [own, `{asset:${item.asset}}`],
  }
}

/** Fields of an item except its asset. @param uuid the type of its uuid */
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

/** Exports assets of other modules. They are imported too, because the default export refers to them. */
function reExports(exports: readonly CollectionExport[]): string[] {
  const names = new Map<string, string[]>()
  for (const { name, earlier } of exports) {
    if (earlier === undefined) continue
    const texts = names.get(earlier.specifier) ?? []
    texts.push(name === earlier.name ? name : `${earlier.name} as ${name}`)
    names.set(earlier.specifier, texts)
  }
  const imported = exports.flatMap(({ name, earlier }) => (earlier === undefined ? [] : [name]))
  if (imported.length === 0) return []
  return [
    ...[...names].map(([specifier, texts]) => `import {\n${texts.join(',\n')}\n} from ${stringType(specifier)}`),
    `export {\n${imported.join(',\n')}\n}`,
  ]
}

/** A type that is at most as long as this is not shared. */
const shortest = 16

/**
 * Declares each body that several shapes have as a type with parameters.
 *
 * Compilers show the name of a type alias in place of its content, in hovers and in errors. The content is therefore
 * the element of a tuple: such an alias stands for the element, which has no name.
 */
function shareTypes(shapes: readonly TypeShape[]): { lines: string[]; write(shape: TypeShape): string } {
  const shared = new Map<string, string>()
  const lines: string[] = []
  for (const [body, { parameters, count }] of countByBody(shapes)) {
    if (body.length <= shortest || count < 2) continue
    // Names of exports contain no `$`.
    const name = `$${shared.size + 1}`
    shared.set(body, name)
    lines.push(`type ${name}${argumentsOf(parameters, ', ')} = [${body}][0]`)
  }
  return {
    lines,
    write(shape) {
      const name = shared.get(shape.body.text)
      return name === undefined ? shape.type() : `${name}${argumentsOf(shape.values, ',')}`
    },
  }
}

function argumentsOf(texts: readonly string[], separator: string): string {
  return texts.length === 0 ? '' : `<${texts.join(separator)}>`
}

function countByBody(shapes: readonly TypeShape[]): Map<string, { parameters: readonly string[]; count: number }> {
  const found = new Map<string, { parameters: readonly string[]; count: number }>()
  for (const { body } of shapes) {
    const count = (found.get(body.text)?.count ?? 0) + 1
    found.set(body.text, { parameters: body.parameters, count })
  }
  return found
}
