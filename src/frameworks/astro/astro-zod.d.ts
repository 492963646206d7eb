/** The part of Astro's copy of Zod that is used here. */
declare module 'astro/zod' {
  /** Returns a schema that accepts everything. `never` stands for its type. */
  export function custom(): never
}
