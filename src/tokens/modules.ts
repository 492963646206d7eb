import type { ContentRequest, Modules } from '../modules/modules.js'
import type { Tokens } from './load.js'

/** Adds the modules of colors and fonts to those of other content. Their code is loaded when the source has any. */
export function withTokens(modules: Modules<ContentRequest>, tokens: Tokens): Modules {
  return {
    ...modules,
    async source(request, references) {
      if (request.kind !== 'tokens') return modules.source(request, references)
      const { tokensSource } = await import('./source.js')
      return tokensSource(request, references, tokens)
    },
    async describe(request) {
      if (request.kind !== 'tokens') return modules.describe(request)
      const { describeTokens } = await import('./declarations.js')
      return describeTokens(await tokens.kit(request.kit), tokens.warn)
    },
  }
}
