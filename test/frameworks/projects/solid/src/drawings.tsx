import { Badge, Leaf } from 'content-space:kit/brand?as=solid'
import Coast from 'content-space:asset/brand/coast-at-dawn?w=320;640&format=webp;jpg&placeholder=blur&as=solid'
import Logo from 'content-space:asset/brand/solvane-logo?dark=solvane-logo-reversed&w=120&format=png&as=solid'
import Mark from 'content-space:asset/brand/solvane-logo?dark=solvane-logo-reversed&as=solid'
import { createSignal } from 'solid-js'

export function Drawings() {
  const [size, setSize] = createSignal(64)
  return (
    <>
      <Badge title="The best" width={size()} onClick={() => setSize(size() + 16)} />
      <Badge class="second" width="64" />
      <Leaf style="width: 40px; color: teal" />
      <Coast alt="The coast" sizes="200px" width={200} />
      <Logo class="pair" alt="Solvane" />
      <Mark class="pair" title="Solvane" />
    </>
  )
}
