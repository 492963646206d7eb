/** Declares components that Astro has compiled. */
declare module '*.astro' {
  /** @param page the same object for everything that is rendered into one page */
  const component: (page: object, props: Record<string, unknown>, slots: object) => unknown
  export default component
}
