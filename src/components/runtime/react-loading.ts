'use client'

import { useEffect, useRef, useState, type ReactElement } from 'react'
import type { Attributes } from './drawing.js'
import { hasLoaded, type ImageData, type ImageElement } from './image.js'
import { imageElement } from './react.js'

/**
 * A picture with its placeholder behind it until it has loaded. Server components can pass `props` to it, but not call
 * its functions.
 */
export function Picture({ data, props }: { data: ImageData; props: Attributes }): ReactElement {
  const [loaded, setLoaded] = useState(false)
  const own = useRef<ImageElement>(undefined)
  const { ref: given, onLoad, style } = props
  // The picture may have been loaded before hydration.
  useEffect(() => {
    if (hasLoaded(own.current)) setLoaded(true)
  }, [])
  return imageElement(data, {
    ...props,
    style: loaded ? style : { ...placeholderStyle(data), ...Object(style) },
    ref(element: ImageElement) {
      own.current = element
      if (typeof given === 'function') return given(element) as unknown
      if (given) Object.assign(given, { current: element })
      return undefined
    },
    onLoad(event: unknown) {
      setLoaded(true)
      if (typeof onLoad === 'function') onLoad(event)
    },
  })
}

function placeholderStyle({ placeholder }: ImageData): object {
  return { background: `url("${placeholder}") 50%/cover no-repeat` }
}
