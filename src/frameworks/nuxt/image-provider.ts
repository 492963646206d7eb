/**
 * A Nuxt Image provider that doesn't change addresses, because the query of an import already converts content, and
 * Nuxt's optimizer looks for pictures only in `public`.
 */
export default () => ({ getImage: (url: string) => ({ url }) })
