import { posix } from 'node:path'
import { MagicString } from 'magic-string'
import type { Engine } from '../../engine/engine.js'
import { singleErrors, withoutKit } from '../../engine/sync/resolve-imports.js'
import type { UsedSpecifier } from '../../engine/sync/used-specifiers.js'
import { ContentSpaceError, summaryAndHint } from '../../errors.js'
import type { AssetPlan } from '../../files/plan.js'
import { darkRules } from '../../source/dark-rules.js'
import { splitCandidates, writeAttribute, type AttributeWithId } from '../../source/html.js'
import { readId, type IdInText } from '../../source/style-sheet.js'
import { lineFinder } from '../../text/lines.js'
import { requirePlain, type Output } from './output.js'
import { sitesOf, type ScriptSite, type Sheet } from './sites.js'
import type { Tool } from './tool.js'

/** A line of the source that still needs this package. */
export interface Left {
  /** Relative to the root, with forward slashes. */
  file: string
  /** From 1. */
  line: number
  import: string
  /** One or more sentences. */
  reason: string
}

interface Context {
  output: Output
  tool: Tool
  /** The folder of the output, relative to the root. */
  place: string
  used: readonly UsedSpecifier[]
}

type Found = { path: string } | { reason: string }
type Leave = (start: number, id: string, reason: string) => void

const own = 'unplugin-content-space'

/** Elements with addresses that bundlers resolve in pages. */
const resolved = /^(?:audio|embed|image|img|input|link|object|source|track|use|video)$/

/** Lists the content references in a file that must not be changed. */
export function leaveFile(code: string, file: string, reason: string): Left[] {
  const lineOf = lineFinder(code)
  const { scripts, sheets, attributes, others } = sitesOf(code, file)
  return [
    ...scripts.map(({ specifier, start }) => ({ import: specifier, start })),
    ...sheets.flatMap((sheet) => sheet.ids.map(({ id, start }) => ({ import: id, start: start + sheet.start }))),
    ...attributes.map(({ value, start }) => ({ import: value, start })),
    ...others.map(({ id, start }) => ({ import: id, start })),
  ].map(({ start, ...one }) => ({ file, line: lineOf(start), ...one, reason }))
}

/**
 * Returns a function that writes plain imports and addresses into a file, and lists the places that it leaves
 * unchanged.
 */
export async function openRewrite(engine: Engine, { output, tool, place, used }: Context) {
  /** The replacement of each specifier. */
  const modules = new Map<string, Found>()
  // Resolve imports that name a kit first, because we search these kits for the assets of all other imports.
  for (const isLast of [false, true])
    for (const one of used.filter(({ specifier }) => withoutKit.test(specifier) === isLast))
      modules.set(one.specifier, await tried(async () => ({ path: await moduleOf(one) })))

  return async (code: string, file: string) => {
    const text = new MagicString(code)
    const lineOf = lineFinder(code)
    const left: Left[] = []
    const leave: Leave = (start, id, reason) => left.push({ file, line: lineOf(start), import: id, reason })
    const { scripts, sheets, attributes, others } = sitesOf(code, file)
    for (const site of scripts) {
      const found = await moduleFor(site)
      if ('reason' in found) leave(site.start, site.specifier, found.reason)
      else text.update(site.start, site.end, escaped(pathFrom(file, found.path)))
    }
    for (const sheet of sheets) await rewriteSheet(sheet, file, text, leave)
    for (const attribute of attributes) {
      const { name, start, end } = attribute
      const written = await tried(async () => ({ value: await valueOf(attribute, file) }))
      if ('reason' in written) leave(start, attribute.value, written.reason)
      else text.update(start, end, writeAttribute(name, written.value))
    }
    for (const { id, start } of others) leave(start, id, 'Bundlers do not resolve addresses here.')
    return { code: text.toString(), left }
  }

  /** Returns the path of a module. An address doesn't need a module if the bundler imports a file as its address. */
  async function moduleOf(one: UsedSpecifier): Promise<string> {
    const request = engine.parse(one.specifier)
    const isAddress = request.kind === 'asset' && request.query.as === 'url'
    if (!isAddress || tool.objects !== undefined || !one.uses.every(({ names }) => names?.join() === 'default'))
      return output.module(one)
    const { src } = await engine.errors.checked(() => engine.modules.address(request))
    return src === undefined ? output.module(one) : output.file(src)
  }

  async function moduleFor(site: ScriptSite): Promise<Found> {
    const { specifier, isType, names } = site
    if (specifier.startsWith('content-space:'))
      return modules.get(specifier) ?? { reason: 'It was not found in the source.' }
    if (specifier === own && !isType) return { reason: 'Remove it: it configures or calls this package.' }
    const path = await output.own(specifier === own ? 'asset' : specifier.slice(own.length + 1))
    if (path === undefined) return { reason: 'Remove it: it is the plugin.' }
    const types = output.texts.get(path.replace(/\.js$/, '.d.ts')) ?? ''
    const other = names.find((one) => isType && !new RegExp(`export (?:interface|type) ${one}\\b`).test(types))
    return other === undefined ? { path } : { reason: `${other} isn't a type of content.` }
  }

  async function rewriteSheet(sheet: Sheet, file: string, text: MagicString, leave: Leave): Promise<void> {
    const { text: code, start: offset, ids } = sheet
    const written: (IdInText & { light: string; dark?: string })[] = []
    for (const id of ids) {
      const found = await tried(async () => addressesOf(id, sheet, file))
      if ('reason' in found) leave(id.start + offset, id.id, found.reason)
      else written.push({ ...id, ...found })
    }
    const pairs = written.flatMap(({ dark, ...one }) => (dark === undefined ? [] : [{ ...one, dark }]))
    for (const rule of darkRules(code, pairs, engine.options.darkMode)) text.appendLeft(rule.at + offset, rule.text)
    for (const { start, end, light, bare } of written) {
      text.update(start + offset, end + offset, light)
      // esbuild doesn't resolve a string without `url()`.
      if (bare) text.appendLeft(start + offset - 1, 'url(').appendRight(end + offset + 1, ')')
    }
  }

  /** @throws ContentSpaceError for an id that must stay */
  async function addressesOf({ id, fragment, bare }: IdInText, { isPreprocessed }: Sheet, file: string) {
    const plan = await planOf(id)
    if (isPreprocessed && (bare || !tool.readsPreprocessed))
      throw unfit('The address would be relative to another style sheet.')
    if (isPreprocessed && plan.dark) throw unfit('It is a pair for dark mode. Copy its rules from the last build.')
    const light = addressFrom(file, plan, fragment)
    return plan.dark ? { light, dark: addressFrom(file, plan.dark, fragment) } : { light }
  }

  /** Returns the value of an attribute, with ids replaced by the addresses of files. */
  async function valueOf({ element, form, value }: AttributeWithId, file: string): Promise<string> {
    const list = form === 'candidates' ? splitCandidates(value) : [{ address: value, descriptor: '' }]
    const written = await Promise.all(
      list.map(async ({ address, descriptor }) => {
        const id = readId(address)
        if (id === undefined) return [[address, descriptor]]
        const plan = await planOf(id.id)
        if (!tool.readsPages) throw unfit('The bundler of this project does not resolve addresses in pages.')
        if (form === 'image') throw unfit('Other sites need an absolute address.')
        if (form === 'other' || !resolved.test(element)) throw unfit('Bundlers do not resolve addresses here.')
        if (plan.dark) throw unfit('It is a pair for dark mode. Write <picture> with a source for each.')
        const { srcset = [] } = plan
        return form === 'candidates' && descriptor === '' && srcset.length > 0
          ? srcset.map((entry) => [addressFrom(file, { src: entry.file }, ''), entry.descriptor])
          : [[addressFrom(file, plan, id.fragment), descriptor]]
      }),
    )
    const candidates = written.flat().map((parts) => parts.filter(Boolean).join(' '))
    return candidates.join(', ')
  }

  async function planOf(id: string): Promise<AssetPlan> {
    const request = engine.parse(id)
    requirePlain(request, id)
    if (request.kind !== 'asset') throw unfit('It has no address, because it is not an asset with a file.')
    return engine.errors.checked(() => engine.modules.address(request))
  }

  function addressFrom(file: string, { src }: Pick<AssetPlan, 'src'>, fragment: string): string {
    if (src === undefined) throw unfit('It has no address, because it is not an asset with a file.')
    const path = encodeURI(pathFrom(file, output.file(src)))
    return path.replaceAll(/[()']/g, (one) => `%${one.charCodeAt(0).toString(16)}`) + fragment
  }

  function pathFrom(file: string, path: string): string {
    const from = posix.relative(posix.dirname(file), posix.join(place, path))
    return from.startsWith('../') ? from : `./${from}`
  }
}

/** Returns the error for a reference that files can't replace. */
function unfit(reason: string): ContentSpaceError {
  return new ContentSpaceError('invalidId', reason)
}

/** Returns the reason instead of throwing, if an error concerns a single import. */
async function tried<T>(work: () => Promise<T>): Promise<T | { reason: string }> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof ContentSpaceError && singleErrors.includes(error.code))
      return { reason: summaryAndHint(error).replaceAll(/\s*\n\s*/g, ' ') }
    throw error
  }
}

/** Escapes a path for a string with any quotes. */
function escaped(path: string): string {
  return path.replaceAll(/['"`\\]|\$(?=\{)/g, String.raw`\$&`)
}
