/** The name of the integration. */
export const NAME = 'unplugin-content-space'

/** Where Astro writes the types of this integration, relative to the root of the project. */
export const typesFolder = `.astro/integrations/${NAME}`

/** Returns the type of the custom fields of a collection's entries. @param name unique */
export function fieldsType(name: string): string {
  const path = `../integrations/${NAME}/${encodeURIComponent(name)}.js`
  return `import('${path}').Fields`
}
