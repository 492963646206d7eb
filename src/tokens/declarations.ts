import type { NamedKit } from '../kit/named-kit.js'
import { defaultExport, type DescribedTokens } from '../modules/declarations.js'
import { comment, namingText, withNotes } from '../modules/documentation.js'
import { identifier } from '../modules/literal.js'
import { colorsOf } from './colors.js'
import { planFonts } from './fonts.js'

/** Describes the tokens of a kit without reading its font files. */
export async function describeTokens(named: NamedKit, warn: (message: string) => void): Promise<DescribedTokens> {
  const colors = await colorsOf(named, warn)
  const fonts = planFonts(named)
  const uuids = { colors: [...colors.values()].map(({ uuid }) => uuid), fonts: fonts.map(({ asset }) => asset.uuid) }
  const colorLines = [...colors].flatMap(([name, { uuid, css, group, notes }]) =>
    propertyLines(name, uuid, `${css}, in ${group.join(', ')}${withNotes(notes)}`, colorType, named),
  )
  const fontLines = fonts.flatMap(({ asset, name, token, source }) => {
    const what = `${asset.name} (${'file' in source ? source.file.ext : 'style sheet'})`
    const text = `${what}, in ${token.group.join(', ')}${withNotes(token.notes)}`
    return propertyLines(name, token.uuid, text, 'file' in source ? fontType('src') : fontType('stylesheet'), named)
  })
  const defaultLines = defaultExport('{ colors: typeof colors; fonts: typeof fonts }')
  return {
    kind: 'tokens',
    named,
    exports: new Map([
      ['colors', { lines: objectLines('colors', colorLines), assets: uuids.colors }],
      ['fonts', { lines: objectLines('fonts', fontLines), assets: uuids.fonts }],
      ['default', { lines: defaultLines, assets: [...uuids.colors, ...uuids.fonts] }],
    ]),
    plans: new Map(fonts.map(({ asset, source }) => [asset.uuid, 'file' in source ? { src: source.file } : {}])),
  }
}

const colorType = "import('unplugin-content-space/asset').ColorToken"

function fontType(source: 'src' | 'stylesheet'): string {
  return `import('unplugin-content-space/asset').FontToken & { ${source}: string }`
}

function objectLines(name: string, lines: readonly string[]): string[] {
  if (lines.length === 0) return [`export const ${name}: object`]
  return [`export const ${name}: {`, ...lines.map((line) => `  ${line}`), '}']
}

/** Declares a token under its export name and its former names. The types don't change when a draft changes. */
function propertyLines(name: string, uuid: string, text: string, type: string, named: NamedKit): string[] {
  const former = named.assets.get(uuid)?.aliases ?? []
  return [
    comment(text, namingText(uuid, named)),
    `${identifier(name)}: ${type}`,
    ...former.map((alias) => `/** @deprecated Renamed: use ${name}. */ ${identifier(alias.name)}: ${type}`),
  ]
}
