/** The part of Astro's types that is used here. In applications, Astro provides all types. */
declare module 'astro/types' {
  /** The attributes of an element. */
  export interface HTMLAttributes<Tag extends string> {
    tag?: Tag
  }
}
