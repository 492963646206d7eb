/** What Astro compiles a component to. */
declare module '*.astro' {
  /** @param page the same object for everything that is rendered into one page */
  const component: (page: object, props: Record<string, unknown>, slots: object) => unknown
  export default component
}
