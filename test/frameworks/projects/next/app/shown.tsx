'use client'

import { useState } from 'react'
import { solvaneLogo } from 'content-space:kit/brand'
import icon from 'content-space:asset/brand/flame?w=48&format=png'
import moon from 'content-space:asset/brand@draft/moon?raw'
import './site.css'

export function Shown() {
  const [shown] = useState(true)
  return (
    <section data-content="client" data-logo={solvaneLogo.src}>
      {shown && <img src={icon.src} width={icon.width} height={icon.height} alt={icon.name} />}
      <span id="draft" dangerouslySetInnerHTML={{ __html: moon }} />
    </section>
  )
}
