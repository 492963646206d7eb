/** What Astro compiles a component to. */
declare module '*.astro' {
  /** `page` is the same object for everything that is rendered into one page. */
  export type AstroComponent = (page: object, props: Record<string, unknown>, slots: object) => unknown
  const component: AstroComponent
  export default component
}
