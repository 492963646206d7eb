import { Badge, Leaf } from 'content-space:kit/brand?as=preact'
import Coast from 'content-space:asset/brand/coast-at-dawn?w=320;640&format=webp;jpg&placeholder=blur&as=preact'
import { useState } from 'preact/hooks'

export function Drawings() {
  const [size, setSize] = useState(64)
  return (
    <>
      <Badge title="The best" width={size} onClick={() => setSize(size + 16)} />
      <Badge class="second" width="64" />
      <Leaf style="width: 40px; color: teal" />
      <Coast alt="The coast" sizes="200px" width={200} />
    </>
  )
}
