import icons from 'content-space:section/brand/icons?as=preact'
import records, * as exported from 'content-space:section/brand/icons?as=metadata'
import { h, render, type ComponentChild, type TargetedInputEvent } from 'preact'
import { useState } from 'preact/hooks'
import type { SvgComponent } from 'unplugin-content-space/preact'
import { codeBlock, copyText, namedImport, sourceLine } from './code.js'

interface Icon {
  /** The uuid of the item. */
  key: string
  name: string
  /** The line that imports the component. */
  code: string
  Drawing: SvgComponent
}

/** The icons under one heading. */
interface Group {
  heading: string
  icons: Icon[]
}

/** The export names by uuid. */
const exportOf = new Map<string, string>(
  Object.entries(exported).flatMap(([name, asset]) => ('uuid' in asset ? [[asset.uuid, name] as const] : [])),
)
/** The name and export name by the item's uuid. */
const namesOf = new Map<string, { name: string; exportName: string }>(
  records.items.flatMap((item) => {
    if (!('asset' in item)) return []
    return [[item.uuid, { name: item.asset.name, exportName: exportOf.get(item.asset.uuid) ?? '' }]]
  }),
)

function groups(): Group[] {
  const all: Group[] = []
  for (const item of icons.items) {
    if ('content' in item) all.push({ heading: item.content, icons: [] })
    if (!('asset' in item)) continue
    const { name = '', exportName = '' } = namesOf.get(item.uuid) ?? {}
    const code = namedImport(exportName.slice(0, 1).toUpperCase() + exportName.slice(1), 'icons')
    all.at(-1)?.icons.push({ key: item.uuid, name, code, Drawing: item.asset })
  }
  return all
}

/** Renders the icons as components and lets users search them by name. */
export function showIcons(section: HTMLElement): void {
  section.append(codeBlock(sourceLine('icons'), icons.name))
  const list = document.createElement('div')
  section.append(list)
  render(h(Icons, {}), list)
}

function Icons(): ComponentChild {
  const [search, setSearch] = useState('')
  const [copied, setCopied] = useState('')
  const matches = ({ name }: Icon): boolean => name.toLowerCase().includes(search.trim().toLowerCase())
  const shown = groups()
    .map((group) => ({ ...group, icons: group.icons.filter(matches) }))
    .filter((group) => group.icons.length > 0)
  return h(
    'div',
    {},
    h(
      'div',
      { className: 'tools' },
      h('input', {
        type: 'search',
        className: 'search',
        'aria-label': 'Search icons',
        placeholder: 'Search icons',
        value: search,
        onInput: (event: TargetedInputEvent<HTMLInputElement>) => setSearch(event.currentTarget.value),
      }),
      h('output', { className: 'hint' }, copied === '' ? 'Click an icon to copy its import.' : copied),
    ),
    shown.map(({ heading, icons: group }) =>
      h(
        'div',
        { key: heading },
        h('h3', {}, heading),
        h(
          'div',
          { className: 'grid icons' },
          group.map((icon) => button(icon, setCopied)),
        ),
      ),
    ),
  )
}

function button({ key, name, code, Drawing }: Icon, setCopied: (text: string) => void): ComponentChild {
  const copy = async (): Promise<void> => setCopied((await copyText(code)) ? `Copied: ${code}` : code)
  return h(
    'button',
    { type: 'button', className: 'icon', key, title: code, onClick: () => void copy() },
    h(Drawing, { width: 40, height: 40 }),
    h('strong', {}, name),
  )
}
