import { useEffect, useState } from 'react'
import { Drawings } from './drawings.jsx'

/** The page, rendered on the server and in the browser. */
export function Page() {
  const [places, setPlaces] = useState(['server'])
  useEffect(() => setPlaces(['server', 'client']), [])
  return (
    <>
      {places.map((place) => (
        <div id={place} key={place}>
          <Drawings />
        </div>
      ))}
    </>
  )
}
