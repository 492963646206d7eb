import { ContentSpaceError } from '../errors.js'
import { identifierOf } from '../kit/identifiers.js'
import type { Request } from '../request/request.js'
import type { Place } from '../source/misplaced.js'
import type { Use } from '../source/use.js'
import { canonicalUuid } from '../space/uuid.js'

const wheres: Readonly<Record<Place['language'], string>> = {
  astro: 'an attribute of an Astro template',
  jsx: 'an attribute of JSX',
  script: 'a string',
  svelte: 'an attribute of a Svelte template',
  vue: 'an attribute of a Vue template',
}

/**
 * Returns the error about an id that remains plain text, including code that would work.
 * @param parse throws for an id that is invalid everywhere; that error is then returned
 */
export function misplacedError(
  { specifier, misplaced = { language: 'script' } }: Use,
  parse: (specifier: string) => Request,
): ContentSpaceError {
  let request: Request
  try {
    request = parse(specifier)
  } catch (error) {
    if (error instanceof ContentSpaceError) return error
    throw error
  }
  const [name, value] = importOf(request)
  const summary = `${specifier} is in ${wheres[misplaced.language]}, where it remains text: only imports are resolved.`
  return new ContentSpaceError('invalidId', summary, {
    hint: `Write: import ${name} from '${specifier}', and ${usage(misplaced, value)}.`,
    import: specifier,
  })
}

/** Returns the name to import, and the expression for its address. */
function importOf(request: Request): [name: string, value: string] {
  switch (request.kind) {
    case 'asset': {
      const name = (canonicalUuid(request.asset) ? '' : identifierOf(request.asset)) || 'asset'
      const isText = request.query.as === 'url' || request.query.as === 'inline' || request.query.as === 'raw'
      return [name, isText ? name : `${name}.src`]
    }
    case 'kit':
    case 'section':
      return ['{ <asset> }', '<asset>.src']
    case 'app-icons':
      return ['icons', 'icons.icons[0].src']
    default:
      return ['content', 'content']
  }
}

/** Returns the code that uses an expression where the misplaced id is. */
function usage({ language, attribute }: Place, value: string): string {
  if (language === 'script' || attribute === undefined) return value
  const isStyle = attribute === 'style'
  if (language === 'jsx')
    return isStyle ? `style={{ backgroundImage: \`url(\${${value}})\` }}` : `${attribute}={${value}}`
  if (language === 'vue')
    return isStyle ? `:style="{ backgroundImage: \`url(\${${value}})\` }"` : `:${attribute}="${value}"`
  return isStyle ? `style={\`background-image: url(\${${value}})\`}` : `${attribute}={${value}}`
}
