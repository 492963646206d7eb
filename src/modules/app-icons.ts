import type { Catalog } from '../catalog/catalog.js'
import { ContentSpaceError } from '../errors.js'
import { planAppIcons, type AppIconsPlan, type PlannedLink } from '../files/app-icons.js'
import type { AssetPlan } from '../files/plan.js'
import type { SvgPolicy } from '../files/recipe.js'
import { findAsset } from '../kit/named-kit.js'
import type { Request } from '../request/request.js'
import { omitUndefined } from '../text/omit-undefined.js'
import { valueSource } from './emit.js'
import { code, contentLiteral, literal, type Code } from './literal.js'
import type { From } from './parts.js'
import { addImport, importLines, type Imports, type References } from './references.js'

export type AppIconsRequest = Extract<Request, { kind: 'app-icons' }>

export type LoadedIcons = Awaited<ReturnType<typeof loadAppIcons>>

/**
 * Plans the icons of an application.
 * @param served whether a dev server serves the files
 * @throws ContentSpaceError if any content doesn't exist; any error of `planAppIcons`
 */
export async function loadAppIcons(
  { kit, asset: name, icons: query }: AppIconsRequest,
  { catalog, svg }: { catalog: Catalog; svg: SvgPolicy },
  served: boolean,
  from: From = 'lock',
) {
  const answer = await catalog[from === 'lock' ? 'answer' : 'answerListed'](kit, (named) => {
    const asset = findAsset(named, name)
    const dark = query.dark === undefined ? undefined : findAsset(named, query.dark)
    const value = [asset, ...(dark ? [dark] : [])]
    return { value, use: { assets: value.map(({ uuid }) => uuid) } }
  })
  const [asset, dark] = answer.value
  if (asset === undefined) throw new TypeError(`${name} was not found.`)
  return { ...answer, plan: planAppIcons({ asset, dark, query, svg, name: answer.named.kit.name, served }) }
}

/** Returns the plans of the files that a build needs from the service. */
export function plansOfIcons({ plan }: LoadedIcons): Map<string, AssetPlan> {
  return new Map(plan.sources.map((src) => [src.asset, { src }]))
}

/**
 * Returns the source of the module for a set of icons.
 * @throws ContentSpaceError `invalidId` if the bundler can't keep the names of files
 */
export function appIconsSource({ icons, manifest, links }: AppIconsPlan, references: References): string {
  if (references.rootFiles === false) {
    throw new ContentSpaceError('invalidId', 'Next.js names files itself, and application icons have fixed names.', {
      hint: 'Write them as files: npx content-space app-icons <kit>/<asset> --out public.',
    })
  }
  const imports: Imports = new Map()
  const files = [...icons.map(({ file }) => file), manifest]
  const locals = new Map(files.map((file, at) => [file, `icon$${at}`]))
  const lines = [...locals].map(([file, local]) => {
    const address = references.address(file)
    addImport(address, imports)
    return `const ${local} = ${address.code}\n`
  })
  const addressOf = (file: (typeof files)[number]): Code => code(locals.get(file) ?? '')
  const html = links.flatMap((link, at) => elementCode(link, locals.get(link.file) ?? '', at === 0 ? '' : '\n'))
  const value = {
    icons: icons.map(({ file, ...icon }) => ({ src: addressOf(file), ...icon })),
    manifest: addressOf(manifest),
    links: links.map(({ file, rel, ...link }) => ({ rel, href: addressOf(file), ...link })),
    // Use a call, because bundlers remove it if its result is unused. esbuild assumes that operators on URLs may have
    // side effects.
    html: code(`/* @__PURE__ */ [${html.join()}].join("")`),
  }
  // Bundlers don't remove parts of a call's argument. A page that uses any property needs all files, because the
  // manifest names them.
  const whole = code(`/* @__PURE__ */ Object.freeze(${contentLiteral(value)})`)
  return importLines(imports) + lines.join('') + valueSource(whole, references)
}

function elementCode(link: PlannedLink, local: string, separator: string): string[] {
  const [before = '', after = ''] = linkElement(link, '\0').split('\0')
  return [literal(separator + before), local, literal(after)]
}

/**
 * Returns a link for the head of a page.
 * @param address escaped for an attribute
 */
export function linkElement({ rel, sizes, type }: PlannedLink, address: string): string {
  const others = Object.entries(omitUndefined({ sizes, type })).map(([name, value]) => ` ${name}="${value}"`)
  return `<link rel="${rel}" href="${address}"${others.join('')}>`
}
