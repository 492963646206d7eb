import { onMounted, ref, shallowRef, type Component } from 'vue'
import { hasLoaded, placeholderStyle, type ImageData, type ImageElement } from './image.js'
import { imageNode, imageProps, type ImageProps } from './vue.js'

/** Returns the component of a picture with a placeholder, which is removed when the picture has loaded. */
export function image(data: ImageData): Component {
  return {
    inheritAttrs: false,
    props: imageProps,
    setup(props: ImageProps, { attrs }) {
      const element = shallowRef<ImageElement>()
      const loaded = ref(false)
      const onLoad = (): void => void (loaded.value = true)
      // The picture may have been loaded before hydration.
      onMounted(() => hasLoaded(element.value) && onLoad())
      return () =>
        imageNode(data, props, attrs, {
          ref: element,
          onLoad,
          style: loaded.value ? undefined : placeholderStyle(data),
        })
    },
  }
}

export { image as picture }
