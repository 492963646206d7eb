import { hash } from 'node:crypto'
import { readFile, rm } from 'node:fs/promises'
import { basename, dirname, extname, join, resolve } from 'node:path'
import { MagicString } from 'magic-string'
import { throwFileError } from '../../disk/file-error.js'
import { git } from '../../disk/git.js'
import { readText, replaceFile } from '../../disk/replace-file.js'
import type { Engine } from '../../engine/engine.js'
import { ContentSpaceError } from '../../errors.js'
import { algorithms } from '../../files/download.js'
import type { Files } from '../../files/files.js'
import { planAsset } from '../../files/plan.js'
import { parseQuery } from '../../request/query.js'
import { parseKit } from '../../request/request.js'
import { fileReferences, type FileReference } from '../../source/file-references.js'
import { decode } from '../../space/http/credentials.js'
import { withShownFiles } from '../browse/pictures.js'
import { isPage } from '../page/page.js'
import { changesIn } from '../rename-imports.js'
import { findProjectFiles } from './find-files.js'
import { isInterchangeable } from './look.js'
import { thresholds } from './match.js'
import { namesIn } from './names-in.js'
import type { AuditReport, Finding, Fixes } from './report.js'

/** A text of the project, and what it becomes. */
interface Text {
  file: string
  before: string
  edit: MagicString
}

/** Folders whose files have addresses that are written anywhere. */
const publicFolders = /(?:^|\/)(?:public|static)\//

/** Packages that make components of drawings. */
const componentLoaders = /svgr|svg-?loader|svelte-svg|vue-svg|svg-sprite/

/** Tools that build ids in style sheets, as dependencies in `package.json`. Rollup and Rolldown do not. */
const styleBuilders = new RegExp(
  `"(?:vite|webpack|esbuild|next|nuxt|astro|vitepress|electron-vite|@rspack/core|@rsbuild/core|@farmfe/core|` +
    String.raw`@sveltejs/kit|@docusaurus/core)"\s*:`,
)

/** @throws ContentSpaceError `invalidOption` */
export async function requireCleanTree(root: string): Promise<void> {
  const stdout = await git(root, 'status', '--porcelain', '--', '.').catch(() => undefined)
  if (stdout === '') return
  const problem = stdout === undefined ? 'is not in a Git repository' : 'has changes that are not committed'
  throw new ContentSpaceError('invalidOption', `${root} ${problem}, so --fix could not be undone.`, {
    hint: `${stdout === undefined ? 'Save a copy' : 'Commit or stash them'}, or use --force (importer: force: true).`,
  })
}

/**
 * Writes ids in the place of paths of copied files, and tokens in the place of colors. Deletes copies that nothing
 * names any more. Anything that is not certain stays as it is, with the reason.
 * @param confirm told what would be written. Nothing is, if it returns false
 */
export async function fix(
  engine: Engine,
  { findings }: AuditReport,
  confirm: (fixes: Fixes) => Promise<boolean> | boolean,
): Promise<Fixes> {
  const { root } = engine.options
  const copies = new Map<string, Finding>()
  const left: Fixes['left'] = []
  const texts = await readTexts(engine, findings)
  const leave = ({ file, line, import: id }: Finding, reason: string): void =>
    void left.push({ file, line, import: id ?? '', reason })
  await withShownFiles(engine, async (files) => {
    for (const finding of findings) {
      const { finding: kind, file, color } = finding
      if (finding.import === undefined) continue
      if (kind === 'color' && color?.distance === 0) {
        const problem = await fixColor(engine, finding, texts)
        if (problem !== undefined) leave(finding, problem)
      } else if (kind === 'copy' || kind === 'redrawn') {
        if (texts.some((text) => text.file === file)) leave(finding, 'it is a part of the text')
        else if (await isWhole(engine, finding, files)) copies.set(resolve(root, file), finding)
        else leave(finding, 'it is another cut, size or crop of the asset')
      }
    }
  })
  const replaced = new Set<Finding>()
  for (const text of texts) {
    for (const reference of fileReferences(text.before, text.file)) {
      const finding = copies.get(pathOf(reference, text.file, root))
      const id = finding && idFor(finding, reference, text, packageOf(text.file, texts))
      if (finding === undefined || id === undefined) continue
      text.edit.update(reference.start, reference.end, id)
      replaced.add(finding)
    }
  }
  const deleted: string[] = []
  const namers = texts.map((text) => ({ ...text, names: namesIn(text.edit.toString(), text.file) }))
  for (const finding of copies.values()) {
    const name = basename(finding.file)
    const namedBy = namers.find(({ names }) => names(finding.file))
    if (publicFolders.test(finding.file)) leave(finding, 'its address may be used anywhere')
    else if (namedBy) leave(finding, `${namedBy.file} names it${namedBy.before.includes(name) ? '' : ' by a pattern'}`)
    else if (replaced.has(finding)) deleted.push(finding.file)
    else leave(finding, 'no import of it was found')
  }
  const changed = texts.filter(({ edit }) => edit.hasChanged())
  const lines = changed.flatMap(({ file, before, edit }) => changesIn(file, before, edit.toString()))
  const fixes: Fixes = { lines, deleted, left, written: false }
  if ((lines.length === 0 && deleted.length === 0) || !(await confirm(fixes))) return fixes
  for (const { file, before } of changed) {
    if ((await readFile(join(root, file), 'utf8')) === before) continue
    throw new ContentSpaceError('fileSystem', `${file} has changed in the meantime. Nothing was written.`, {
      hint: 'Run the command again.',
    })
  }
  for (const { file, edit } of changed) await replaceFile(join(root, file), edit.toString())
  // Last, so that no file is missing that a text still names.
  for (const file of deleted) await rm(join(root, file)).catch(throwFileError(join(root, file)))
  return { ...fixes, written: true }
}

async function readTexts({ options }: Engine, findings: readonly Finding[]): Promise<Text[]> {
  const isCopy = new Set(findings.filter(({ color }) => color === undefined).map(({ file }) => file))
  const texts: Text[] = []
  for (const file of await findProjectFiles(options, [])) {
    if (isCopy.has(file) && /\.(?:svg|png|jpe?g|gif|webp|avif|woff2?|[ot]tf|pdf|ico)$/i.test(file)) continue
    const bytes = await readFile(join(options.root, file))
    const before = bytes.toString()
    // Bytes that are no text would be lost. A page of an audit names all copies.
    if (!isPage(before) && !bytes.includes(0) && Buffer.from(before).equals(bytes))
      texts.push({ file, before, edit: new MagicString(before) })
  }
  return texts
}

/** Whether an import of the asset gives the same picture: the original file, or a drawing that fills the same box. */
async function isWhole({ catalog, options, space }: Engine, found: Finding, files: Files): Promise<boolean> {
  const { assets } = (await catalog.load(parseKit(found.kit, options.kits))).kit
  const record = Object.values(assets).find(({ uuid }) => uuid === found.asset.uuid)
  const bytes = await readFile(join(options.root, found.file))
  if (found.finding === 'redrawn') {
    const { src } = record ? planAsset(record, parseQuery(''), 'sanitize') : {}
    // The drawing was read to compare it. Nothing is downloaded again.
    if (src === undefined || !(space.local || (await files.has(src)))) return false
    return isInterchangeable(bytes, await files.bytes(src), thresholds.redrawn)
  }
  const expected = record?.fileHash ?? ''
  const name = algorithms[expected.length]
  return name !== undefined && hash(name, bytes, 'hex') === expected
}

/** Returns the absolute path of the file that a reference means. Of aliases of a bundler, none is known. */
function pathOf({ path, kind }: FileReference, file: string, root: string): string {
  const [plain = ''] = path.split(/[?#]/)
  const isRelative = /^\.\.?\//.test(plain)
  if (kind !== 'import' && plain.startsWith('/')) return join(root, plain)
  if (!isRelative && (kind === 'import' || /^[a-z@~$#/]+:|^[@~$#/]/i.test(plain))) return ''
  return resolve(root, dirname(file), decode(plain))
}

/** Returns the id for a place. Undefined where it is not certain what the bundler gives for the path. */
function idFor(finding: Finding, { path, kind }: FileReference, text: Text, uses: string): string | undefined {
  const query = path.slice(path.split(/[?#]/, 1)[0]?.length)
  const { import: id = '' } = finding
  if (kind === 'style') {
    if (!styleBuilders.test(uses)) return undefined
    return query === '' || query.startsWith('#') ? id + query : undefined
  }
  if (kind === 'page') {
    // Other tools copy pages as they are, and Vite those that nothing builds.
    const isBuilt = basename(text.file) === 'index.html' || /<script\b[^>]*\btype=["']?module\b/i.test(text.before)
    return query === '' && isBuilt && /"vite"/.test(uses) ? id : undefined
  }
  if (query === '?url') return `${id}?as=url`
  if (query !== '' || /"astro"/.test(uses)) return undefined
  const isDrawing = extname(finding.file).toLowerCase() === '.svg'
  if (isDrawing && componentLoaders.test(uses)) return undefined
  // Next.js gives an object for pictures.
  return /"next"/.test(uses) ? id : `${id}?as=url`
}

/** Bundlers that a package may have from a folder above it. */
const builderConfig = /^(vite|webpack|esbuild|next|nuxt|astro)\.config\./

/** Returns texts with the names of tools: the nearest package.json, and configurations of bundlers beside it. */
function packageOf(file: string, texts: readonly Text[]): string {
  const packages = texts.filter((text) => basename(text.file) === 'package.json')
  const near = packages.filter((text) => `${dirname(file)}/`.startsWith(text.file.slice(0, -'package.json'.length)))
  const [first] = near.toSorted((a, b) => b.file.length - a.file.length)
  if (first === undefined) return ''
  const configs = texts.flatMap((one) => {
    const [, name] = (dirname(one.file) === dirname(first.file) && builderConfig.exec(basename(one.file))) || []
    return name === undefined ? [] : [`"${name}": ${one.before}`]
  })
  return [first.before, ...configs].join('\n')
}

/** Whether a script, a style sheet or a page loads a style sheet of this name. */
function loads({ file, before }: Text, name: string): boolean {
  const lines = before.split('\n').filter((line) => line.includes(name))
  return (
    !/\.config\.\w+$/.test(file) &&
    lines.some((line) => /@import\b|^\s*import\b|<link\b|\bimport\(|require\(/.test(line))
  )
}

/**
 * Writes the custom property of a token in the place of a color.
 * @returns why the color stays
 */
async function fixColor(
  engine: Engine,
  { kit, asset, file, line, color }: Finding,
  texts: Text[],
): Promise<string | undefined> {
  const { tokens } = engine.options
  const sheet = tokens.find((one) => one.format === 'css' && one.kit.split('@')[0] === kit)
  const used = sheet && texts.some((text) => loads(text, basename(sheet.file)))
  if (sheet === undefined || !used) return 'no CSS file of option tokens for this kit is imported'
  const text = texts.find((one) => one.file === file)
  if (text === undefined || !/\.(?:css|pcss|postcss)$/i.test(file)) return 'only colors in CSS are replaced'
  const [{ colorsIn }, { formatHex8 }] = await Promise.all([import('./colors.js'), import('culori')])
  const value = formatHex8(color?.text ?? '')
  const declarations = ((await readText(sheet.file)) ?? '').matchAll(/(--[^\s:;{}]+):\s*([^;]+);/g)
  const property = [...declarations].find(
    ([, name = '', other = '']) => name.endsWith(asset.slug) && formatHex8(other) === value,
  )?.[1]
  if (property === undefined) return 'the token has another value'
  const places = colorsIn(text.before, file).filter((one) => one.line === line && one.text === color?.text)
  for (const { start, text: found } of places) {
    const declaration = text.before.slice(0, start).split(/[;{}]/).at(-1)?.trim() ?? ''
    // A property can neither be its own value, nor stand in a rule that is read before it has one.
    if (/^@|^initial-value\b/.test(declaration) || declaration.startsWith(`${property}:`))
      return 'a token cannot be used here'
    text.edit.update(start, start + found.length, `var(${property})`)
  }
  return undefined
}
