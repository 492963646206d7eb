'use client'

import { useEffect, useState } from 'react'
import { Drawings } from './drawings'

export function Places() {
  const [places, setPlaces] = useState(['server'])
  useEffect(() => setPlaces(['server', 'client']), [])
  return places.map((place) => (
    <div id={place} key={place}>
      <Drawings />
    </div>
  ))
}
