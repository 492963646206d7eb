import { defineCollection } from 'astro:content'
import { kitLoader } from 'unplugin-content-space/astro'

export const collections = {
  brand: defineCollection({ loader: kitLoader('brand') }),
  photographs: defineCollection({ loader: kitLoader('brand', { section: 'photographs', image: 'w=120' }) }),
}
