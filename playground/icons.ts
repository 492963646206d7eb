import icons from 'content-space:section/brand/icons?as=preact'
import records from 'content-space:section/brand/icons?as=metadata'
import { h, render, type ComponentChild, type TargetedInputEvent } from 'preact'
import { useState } from 'preact/hooks'
import type { SvgComponent } from 'unplugin-content-space/preact'

interface Icon {
  /** The uuid of its item. */
  key: string
  name: string
  Drawing: SvgComponent
}

/** The icons under one heading. */
interface Group {
  heading: string
  icons: Icon[]
}

const nameOf = new Map<string, string>(records.items.map((item) => [item.uuid, 'asset' in item ? item.asset.name : '']))

function groups(): Group[] {
  const all: Group[] = []
  for (const item of icons.items) {
    if ('content' in item) all.push({ heading: item.content, icons: [] })
    if ('asset' in item)
      all.at(-1)?.icons.push({ key: item.uuid, name: nameOf.get(item.uuid) ?? '', Drawing: item.asset })
  }
  return all
}

/** Shows the icons as components, and searches them by name. */
export function showIcons(section: HTMLElement): void {
  render(h(Icons, {}), section)
}

function Icons(): ComponentChild {
  const [search, setSearch] = useState('')
  const matches = ({ name }: Icon): boolean => name.toLowerCase().includes(search.trim().toLowerCase())
  const shown = groups()
    .map((group) => ({ ...group, icons: group.icons.filter(matches) }))
    .filter((group) => group.icons.length > 0)
  return h(
    'div',
    {},
    h('h2', {}, icons.name),
    h('input', {
      type: 'search',
      className: 'search',
      'aria-label': 'Search icons',
      placeholder: 'Search icons',
      value: search,
      onInput: (event: TargetedInputEvent<HTMLInputElement>) => setSearch(event.currentTarget.value),
    }),
    shown.map(({ heading, icons: group }) =>
      h('div', { key: heading }, h('h3', {}, heading), h('div', { className: 'grid icons' }, group.map(figure))),
    ),
  )
}

function figure({ key, name, Drawing }: Icon): ComponentChild {
  return h(
    'figure',
    { className: 'icon', key },
    h(Drawing, { width: 40, height: 40 }),
    h('figcaption', {}, h('strong', {}, name)),
  )
}
