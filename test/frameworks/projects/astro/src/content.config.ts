import { defineCollection } from 'astro:content'
import { guideLoader, kitLoader } from 'unplugin-content-space/astro'

export const collections = {
  brand: defineCollection({ loader: kitLoader('brand') }),
  photographs: defineCollection({ loader: kitLoader('brand', { section: 'photographs', image: 'w=120' }) }),
  guides: defineCollection({ loader: guideLoader('brand') }),
}
