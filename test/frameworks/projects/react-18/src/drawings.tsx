import { useEffect, useRef, useState } from 'react'
import { Badge, Leaf } from 'content-space:kit/brand?as=react'
import Coast from 'content-space:asset/brand/coast-at-dawn?w=320;640&format=webp;jpg&placeholder=blur&as=react'
import Logo from 'content-space:asset/brand/solvane-logo?dark=solvane-logo-reversed&w=120&format=png&as=react'
import Mark from 'content-space:asset/brand/solvane-logo?dark=solvane-logo-reversed&as=react'

export function Drawings() {
  const [size, setSize] = useState(64)
  const badge = useRef<SVGSVGElement>(null)
  const coast = useRef<HTMLImageElement>(null)
  useEffect(() => {
    if (!badge.current?.isConnected || !coast.current?.isConnected) console.error('A ref is empty.')
  }, [])
  return (
    <>
      <Badge ref={badge} title="The best" width={size} onClick={() => setSize(size + 16)} />
      <Badge className="second" width="64" />
      <Leaf style={{ width: 40, color: 'teal' }} />
      <Coast ref={coast} alt="The coast" sizes="200px" width={200} priority />
      <Logo className="pair" alt="Solvane" />
      <Mark className="pair" title="Solvane" />
    </>
  )
}
