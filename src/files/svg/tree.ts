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

/** Whether a `<style>` element applies in all media. */
export function appliesAlways({ attributes }: Element): boolean {
  return /^\s*(?:all\s*)?$/i.test(attributes['media'] ?? '')
}

/** Returns the `<svg>` element. */
export function rootOf(tree: Root): Element | undefined {
  return tree.children.find((child): child is Element => child.type === 'element')
}

/**
 * Runs a plugin without svgo's visitor, which searches each element among its siblings, in case it was removed. With
 * many siblings, that takes minutes.
 */
export function inLinearTime({ name, fn }: CustomPlugin): CustomPlugin {
  return {
    name,
    fn(root, params, info) {
      const visitor = fn(root, params, info)
      if (typeof visitor !== 'object' || !visitor) return null
      if (visitor.element?.enter) enterAll(root, visitor.element.enter)
      visitor.root?.exit?.(root, null)
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
