import { ContentSpaceError } from '../errors.js'
import type { NamedKit } from '../kit/named-kit.js'
import { versionText } from '../text/quantities.js'

/** The named exports of a tokens module. Its default export combines them. */
export const tokenExports = ['colors', 'fonts'] as const

export type TokenExport = (typeof tokenExports)[number]

/** Returns the error for importing a name that a tokens module doesn't export. */
export function unknownTokens(name: string, { named: { kit } }: { named: NamedKit }): ContentSpaceError {
  const message = `The tokens of kit ${kit.name} (${versionText(kit.version)}) do not export ${name}.`
  const hint = `They export ${tokenExports.join(' and ')}, which contain the tokens by name.`
  return new ContentSpaceError('unknownExport', message, { kit: kit.uuid, version: kit.version, hint })
}
