import { createSignal, For, onMount } from 'solid-js'
import { Drawings } from './drawings.jsx'

/** The page, rendered on the server and in the browser. */
export function Page() {
  const [places, setPlaces] = createSignal(['server'])
  onMount(() => setPlaces(['server', 'client']))
  return (
    <For each={places()}>
      {(place) => (
        <div id={place}>
          <Drawings />
        </div>
      )}
    </For>
  )
}
