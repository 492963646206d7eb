import { h, type ComponentChild } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import type { Attributes } from './drawing.js'
import { hasLoaded, type ImageData, type ImageElement } from './image.js'
import { imageElement, mergeStyles } from './preact.js'

/** Returns the component of a picture with a placeholder, which is removed when the picture has loaded. */
export function image(data: ImageData): (props: Attributes) => ComponentChild {
  return (props) => h(Picture, { data, props })
}

export { image as picture }

function Picture({ data, props }: { data: ImageData; props: Attributes }): ComponentChild {
  const [loaded, setLoaded] = useState(false)
  const own = useRef<ImageElement>(null)
  const { ref: given, onLoad, style } = props
  // The picture may have been loaded before hydration.
  useEffect(() => {
    if (hasLoaded(own.current ?? undefined)) setLoaded(true)
  }, [])
  return imageElement(data, {
    ...props,
    style: loaded ? style : mergeStyles({ background: `url("${data.placeholder}") 50%/cover no-repeat` }, style),
    ref(element: ImageElement | null) {
      own.current = element
      if (typeof given === 'function') given(element)
      else if (given) Object.assign(given, { current: element })
    },
    onLoad(event: unknown) {
      setLoaded(true)
      if (typeof onLoad === 'function') onLoad(event)
    },
  })
}
