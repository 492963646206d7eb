/** The frameworks for which assets can become components: `as=react`. */
export const frameworks = ['react', 'preact', 'vue', 'solid', 'svelte', 'astro'] as const

export type Framework = (typeof frameworks)[number]

/** A project uses a framework if it depends on one of these packages. Nuxt and VitePress include Vue. */
export const frameworkPackages = {
  react: ['react'],
  preact: ['preact'],
  vue: ['vue', 'nuxt', 'vitepress'],
  solid: ['solid-js'],
  svelte: ['svelte'],
  astro: ['astro'],
} as const satisfies Record<Framework, readonly string[]>

/** Returns the framework of `as=`, or undefined if `as=` doesn't request a component. */
export function frameworkOf(as: string): Framework | undefined {
  return frameworks.find((framework) => framework === as)
}
