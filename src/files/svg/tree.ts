import { builtinPlugins, type CustomPlugin } from 'svgo'

/** svgo's tree of an SVG. */
export type Root = Parameters<CustomPlugin['fn']>[0]
export type Child = Root['children'][number]
export type Element = Extract<Child, { type: 'element' }>
export type Parent = Root | Element

type Visitor = Exclude<ReturnType<CustomPlugin['fn']>, void | null>
type Enter = NonNullable<NonNullable<Visitor['element']>['enter']>

/** A node of a tree whose children are known. */
type Sheet = Extract<Child, { type: 'text' | 'cdata' }>

/** Calls a function for all elements, each before those in it. */
export function enterAll(parent: Parent, enter: Enter): void {
  for (const child of parent.children) {
    if (child.type !== 'element') continue
    void enter(child, parent)
    enterAll(child, enter)
  }
}

/** Returns all elements, each before those in it. */
export function elementsIn(parent: Parent): Element[] {
  const elements: Element[] = []
  enterAll(parent, (element) => void elements.push(element))
  return elements
}

/** Returns the texts of all `<style>` elements. */
export function sheetsIn(parent: Parent): Sheet[] {
  const styles = elementsIn(parent).filter(({ name }) => name === 'style')
  return styles.flatMap(({ children }) =>
    children.flatMap((child) => (child.type === 'text' || child.type === 'cdata' ? [child] : [])),
  )
}

/** Returns the text of a `<style>` element. A rule may begin in one of its parts and end in the next one. */
export function sheetText({ children }: Element): string {
  return children.map((child) => (child.type === 'text' || child.type === 'cdata' ? child.value : '')).join('')
}

/** Whether a `<style>` element applies in all media. */
export function appliesAlways({ attributes }: Element): boolean {
  return /^\s*(?:all\s*)?$/i.test(attributes['media'] ?? '')
}

/** Returns the `<svg>` element. */
export function rootOf(tree: Root): Element | undefined {
  return tree.children.find((child): child is Element => child.type === 'element')
}

/**
 * Calls a visitor as svgo does, which searches each element among its siblings, in case it was removed. With many
 * siblings, that takes minutes: they are looked up in a set.
 */
export function visit(root: Root, visitor: Visitor): void {
  const sets = new Map<Parent, { children: readonly Child[]; set: Set<Child> }>()
  const hasChild = (parent: Parent, child: Child): boolean => {
    const { children } = parent
    if (children.length < fewSiblings) return children.includes(child)
    const known = sets.get(parent)
    if (known?.children === children && known.set.size === children.length) return known.set.has(child)
    sets.set(parent, { children, set: new Set(children) })
    return children.includes(child)
  }
  const call = (node: Root | Child, when: 'enter' | 'exit', parent: Parent | null): unknown => {
    const callback = visitor[node.type]?.[when]
    return callback && Reflect.apply(callback, undefined, [node, parent])
  }
  const visitChild = (node: Child, parent: Parent): void => {
    // A visitor returns a symbol for an element whose content is skipped.
    if (typeof call(node, 'enter', parent) === 'symbol') return
    if (node.type === 'element' && hasChild(parent, node)) for (const child of node.children) visitChild(child, node)
    call(node, 'exit', parent)
  }
  call(root, 'enter', null)
  for (const child of root.children) visitChild(child, root)
  call(root, 'exit', null)
}

const fewSiblings = 64

/** Runs a plugin with `visit`. */
export function inLinearTime({ name, fn }: CustomPlugin): CustomPlugin {
  return {
    name,
    fn(root, params, info) {
      const visitor = fn(root, params, info)
      if (typeof visitor === 'object' && visitor) visit(root, visitor)
      return null
    },
  }
}

/** Returns a plugin of svgo with parameters. */
export function builtin(wanted: string, params: object): CustomPlugin {
  const plugin = builtinPlugins.find(({ name }) => name === wanted)
  if (!plugin) throw new Error(`svgo has no ${wanted}`)
  return { name: wanted, fn: (root, _, info) => Reflect.apply(plugin.fn, undefined, [root, params, info]) }
}
