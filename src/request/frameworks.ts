/** The frameworks for which an asset can be a component: `as=react`. */
export const frameworks = ['react', 'preact', 'vue', 'solid', 'svelte', 'astro'] as const

export type Framework = (typeof frameworks)[number]

/** The packages of which a project depends on one when it uses a framework. Nuxt and VitePress bring Vue. */
export const frameworkPackages = {
  react: ['react'],
  preact: ['preact'],
  vue: ['vue', 'nuxt', 'vitepress'],
  solid: ['solid-js'],
  svelte: ['svelte'],
  astro: ['astro'],
} as const satisfies Record<Framework, readonly string[]>

/** Returns the framework of `as=`; undefined if `as=` asks for something else than a component. */
export function frameworkOf(as: string): Framework | undefined {
  return frameworks.find((framework) => framework === as)
}
