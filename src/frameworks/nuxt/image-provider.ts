/**
 * A provider of Nuxt Image that leaves addresses as they are: content is converted by the query of its import, and the
 * optimizer of Nuxt looks for pictures in `public` only.
 */
export default () => ({ getImage: (url: string) => ({ url }) })
