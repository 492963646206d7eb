import type { ComponentChildren } from 'preact'
import { failureOf } from '../app/resource.js'
import { useShell } from '../app/shell.js'
import type { Copy, Place } from '../../../shared/kit-page/data.js'
import { Icon } from './icons.js'

/** A place in the source. If the server can open it in the editor, it is a button, otherwise plain text. */
export function PlaceLink({ place }: { place: Place }) {
  const { project, say } = useShell()
  const text = (
    <>
      <span class="place-file">{place.file}</span>:{place.line}
    </>
  )
  if (!project.canOpen) return <span class="place code">{text}</span>
  const open = () => {
    void openPlace(place).then((message) => say(message ?? `Opened ${place.file}:${place.line}`))
  }
  return (
    <button type="button" class="place code" title="Open in the editor" onClick={open}>
      {text}
      <Icon name="external" />
    </button>
  )
}

/** @returns the reason if it failed */
async function openPlace({ file, line }: Place): Promise<string | undefined> {
  try {
    const body = JSON.stringify({ file, line })
    const response = await fetch('open', { method: 'POST', headers: { 'Content-Type': 'application/json' }, body })
    return response.ok ? undefined : (failureOf(await response.text()) ?? 'The editor could not be opened.')
  } catch {
    return 'The server does not respond.'
  }
}

/** Places with content that wasn't imported. */
export function CopyList({ copies }: { copies: readonly Copy[] }) {
  return (
    <ul class="places">
      {copies.map((copy) => (
        <li key={`${copy.file}:${copy.line} ${copy.note}`}>
          <PlaceLink place={copy} /> <span class="quiet">{copy.note}</span>
        </li>
      ))}
    </ul>
  )
}

/** @param children items after the places */
export function PlaceList({ places, children }: { places: readonly Place[]; children?: ComponentChildren }) {
  return (
    <ul class="places">
      {places.map((place) => (
        <li key={`${place.file}:${place.line}`}>
          <PlaceLink place={place} />
        </li>
      ))}
      {children}
    </ul>
  )
}
