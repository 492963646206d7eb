import { Badge, CoastAtDawn } from 'content-space:kit/brand?as=react'
import Dunes from 'content-space:asset/brand/dunes-at-noon?w=240&placeholder=color&as=react'
import { Places } from './places'

export default function Page() {
  return (
    <main>
      <Places />
      <footer>
        <Badge aria-label="The best" width={64} />
        <CoastAtDawn alt="The coast" width={200} />
        <Dunes alt="Dunes" priority />
      </footer>
    </main>
  )
}
