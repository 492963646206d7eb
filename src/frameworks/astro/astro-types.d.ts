/** The part of Astro's types that is used here. Applications have all of them. */
declare module 'astro/types' {
  /** The attributes of an element. */
  export interface HTMLAttributes<Tag extends string> {
    tag?: Tag
  }
}
