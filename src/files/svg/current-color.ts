import type { CustomPlugin } from 'svgo'

export const inCurrentColor: CustomPlugin = { name: 'inCurrentColor', fn: () => null }
