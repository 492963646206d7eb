import type { ContentRequest, Modules } from '../modules/modules.js'
import type { Tokens } from './load.js'

/**
 * Adds the modules of colors and fonts to the modules of other content. Loads the code for tokens when the source first
 * uses one.
 */
export function withTokens(modules: Modules<ContentRequest>, tokens: Tokens): Modules {
  return {
    ...modules,
    async source(request, references) {
      if (request.kind !== 'tokens') return modules.source(request, references)
      const { tokensSource } = await import('./source.js')
      return tokensSource(request, references, tokens)
    },
    async describe(request, names, from) {
      if (request.kind !== 'tokens') return modules.describe(request, names, from)
      const { describeTokens } = await import('./declarations.js')
      const { named, isPartial } = await tokens.ask(request.kit, from)
      return { ...(await describeTokens(named, tokens.warn)), reference: request.kit, isPartial }
    },
  }
}
