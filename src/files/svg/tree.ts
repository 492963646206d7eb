import type { CustomPlugin } from 'svgo'

/** svgo's tree of an SVG. */
export type Root = Parameters<CustomPlugin['fn']>[0]
export type Child = Root['children'][number]
export type Element = Extract<Child, { type: 'element' }>
export type Parent = Root | Element

export type Visitor = Exclude<ReturnType<CustomPlugin['fn']>, void | null>
type Enter = NonNullable<NonNullable<Visitor['element']>['enter']>

/** Calls a function for all elements, parents before children. */
export function enterAll(parent: Parent, enter: Enter): void {
  for (const child of parent.children) {
    if (child.type !== 'element') continue
    void enter(child, parent)
    enterAll(child, enter)
  }
}

export function elementsIn(parent: Parent): Element[] {
  const elements: Element[] = []
  enterAll(parent, (element) => void elements.push(element))
  return elements
}

/** Returns the contents of all `<style>` elements. */
export function sheetsIn(parent: Parent) {
  const styles = elementsIn(parent).filter(({ name }) => name === 'style')
  return styles.flatMap(({ children }) =>
    children.flatMap((child) => (child.type === 'text' || child.type === 'cdata' ? [child] : [])),
  )
}

/** Returns the text of a `<style>` element. A rule may begin in one text node and end in the next. */
export function sheetText({ children }: Element): string {
  return children.map((child) => (child.type === 'text' || child.type === 'cdata' ? child.value : '')).join('')
}

/** Checks whether a `<style>` element applies in all media. */
export function appliesAlways({ attributes }: Element): boolean {
  return /^\s*(?:all\s*)?$/i.test(attributes['media'] ?? '')
}

export function rootOf(tree: Root): Element | undefined {
  return tree.children.find((child): child is Element => child.type === 'element')
}

/**
 * Calls a visitor as svgo does, but lets it see only a batch of siblings at a time. svgo searches for each element
 * among its siblings, in case a plugin removed the element, and copies the siblings whenever it removes one. With many
 * siblings, that takes minutes.
 */
export function visit(root: Root, visitor: Visitor): void {
  const call = (node: Root | Child, when: 'enter' | 'exit', parent: Parent | null): unknown => {
    const callback = visitor[node.type]?.[when]
    return callback && Reflect.apply(callback, undefined, [node, parent])
  }
  const visitChild = (node: Child, parent: Parent): void => {
    // A visitor returns a symbol to skip an element's content.
    if (typeof call(node, 'enter', parent) === 'symbol') return
    if (node.type === 'element' && parent.children.includes(node)) visitChildren(node)
    call(node, 'exit', parent)
  }
  const visitChildren = (parent: Parent): void => {
    const { children } = parent
    const left: Child[][] = []
    for (let at = 0; at < children.length; at += mostSiblings) {
      parent.children = children.length > mostSiblings ? children.slice(at, at + mostSiblings) : children
      for (const child of parent.children) visitChild(child, parent)
      left.push(parent.children)
    }
    if (left.length > 1) parent.children = left.flat()
  }
  call(root, 'enter', null)
  visitChildren(root)
  call(root, 'exit', null)
}

const mostSiblings = 256
