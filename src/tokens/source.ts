import type { NamedKit } from '../kit/named-kit.js'
import { commonJsSource } from '../modules/emit.js'
import { contentLiteral, literal } from '../modules/literal.js'
import { embed, importLines, type Imports, type References } from '../modules/references.js'
import { requestToId, type Request } from '../request/request.js'
import { colorsOf } from './colors.js'
import { tokenExports, unknownTokens, type TokenExport } from './exports.js'
import { fontsOf } from './fonts.js'
import type { Tokens } from './load.js'

type TokensRequest = Extract<Request, { kind: 'tokens' }>

/**
 * Returns the source of a tokens module. In builds, each export is a separate module, so that fonts are read only where
 * they are used.
 */
export async function tokensSource(request: TokensRequest, references: References, tokens: Tokens): Promise<string> {
  const { kit, pick = [...tokenExports, 'default'], fonts } = request
  const named = await tokens.kit(kit)
  const unknown = pick.find((name) => ![...tokenExports, 'default'].includes(name))
  if (unknown !== undefined) throw unknownTokens(unknown, { named })
  const wanted = tokenExports.filter((name) => pick.includes(name))
  const hasDefault = pick.includes('default')
  const version = named.kit.version
  const idOf = (name: string) => {
    const used = name === 'fonts' && fonts ? { fonts } : {}
    return requestToId({ kind: 'tokens', kit: { kit: named.kit.uuid, version }, pick: [name], ...used })
  }
  if (references.layout === 'barrel' && (hasDefault || wanted.length !== 1))
    return barrelSource(wanted, hasDefault, idOf)
  const imports: Imports = new Map()
  const values: [TokenExport, string][] = []
  for (const name of hasDefault ? tokenExports : wanted)
    values.push([name, contentLiteral(await valueOf(name, named, request, { references, tokens, imports }))])
  return importLines(imports) + flatSource(values, wanted, hasDefault, references)
}

/**
 * Returns the source of a module that re-exports the others. The module of the default export imports them, so that
 * each token exists as only one object.
 */
function barrelSource(wanted: readonly TokenExport[], hasDefault: boolean, idOf: (name: string) => string): string {
  const lines = wanted.map((name) => `export { ${name} } from ${literal(idOf(name))}\n`)
  if (!hasDefault) return lines.join('') || 'export {}\n'
  if (wanted.length > 0) return [...lines, `export { default } from ${literal(idOf('default'))}\n`].join('')
  const imports = tokenExports.map((name) => `import { ${name} } from ${literal(idOf(name))}\n`)
  return `${imports.join('')}export default { ${tokenExports.join(', ')} }\n`
}

function flatSource(
  values: readonly (readonly [name: TokenExport, text: string])[],
  wanted: readonly TokenExport[],
  hasDefault: boolean,
  { commonJs }: References,
): string {
  const lines = values.map(([name, text]) => `const ${name} = ${text}\n`)
  const all = `{ ${tokenExports.join(', ')} }`
  if (commonJs) {
    const exported = [
      ...wanted.map((name) => [name, name] as const),
      ...(hasDefault ? [['default', all] as const] : []),
    ]
    return lines.join('') + commonJsSource(exported)
  }
  return [...lines, `export { ${wanted.join(', ')} }\n`, ...(hasDefault ? [`export default ${all}\n`] : [])].join('')
}

/** Returns the tokens by export name and former names, for `literal`. */
async function valueOf(
  name: TokenExport,
  named: NamedKit,
  { fonts: used }: TokensRequest,
  { references, tokens, imports }: { references: References; tokens: Tokens; imports: Imports },
): Promise<object> {
  if (name === 'colors') return withFormerNames(await colorsOf(named, tokens.warn), named)
  const isUsed = (key: string) => used?.includes(key) ?? true
  const fonts = await fontsOf(named, tokens, ({ name: key, token }) => tokenNames(key, token.uuid, named).some(isUsed))
  const written = [...fonts].map(([exported, { file, ...font }]) => {
    return [exported, file ? { ...font, src: embed(references.address(file), imports) } : font] as const
  })
  return withFormerNames(new Map(written), named)
}

/** Returns the export name of a token and its names before the service renamed it. */
function tokenNames(name: string, uuid: string, { assets }: NamedKit): string[] {
  return [name, ...(assets.get(uuid)?.aliases ?? []).map((alias) => alias.name)]
}

/** Adds former names at the end, so that code that uses them keeps working. */
function withFormerNames<T extends { uuid: string }>(tokens: ReadonlyMap<string, T>, named: NamedKit): object {
  const former = [...tokens].flatMap(([name, token]) =>
    tokenNames(name, token.uuid, named)
      .slice(1)
      .map((alias) => [alias, token] as const),
  )
  return Object.fromEntries([...tokens, ...former])
}
