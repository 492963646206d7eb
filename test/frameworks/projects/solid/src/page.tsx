import { Badge, Leaf } from 'content-space:kit/brand?as=solid'
import Coast from 'content-space:asset/brand/coast-at-dawn?w=320;640&format=webp;jpg&placeholder=blur&as=solid'
import { createSignal, onMount, Show } from 'solid-js'

/** The page, on the server and in the browser. */
export function Page() {
  const [isClient, setClient] = createSignal(false)
  onMount(() => setClient(true))
  return (
    <main>
      <Drawings id="server" />
      <Coast alt="The coast" sizes="200px" width={200} />
      <Show when={isClient()}>
        <Drawings id="client" />
      </Show>
    </main>
  )
}

function Drawings(props: { id: string }) {
  const [size, setSize] = createSignal(64)
  return (
    <div id={props.id}>
      <Badge title="The best" width={size()} onClick={() => setSize(size() + 16)} />
      <Badge class="second" width="64" />
      <Leaf style="width: 40px; color: teal" />
    </div>
  )
}
