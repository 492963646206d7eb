import { readFile } from 'node:fs/promises'
import { posix } from 'node:path'
import { runtimeFilePath, runtimeFiles, type RuntimeName } from '../../components/runtimes.js'
import { ownFile } from '../../disk/own-file.js'
import type { Engine } from '../../engine/engine.js'
import type { UsedSpecifier } from '../../engine/sync/used-specifiers.js'
import { ContentSpaceError } from '../../errors.js'
import type { FileDescriptor } from '../../files/plan.js'
import { readRecipe } from '../../files/recipe.js'
import { moduleDeclaration } from '../../modules/declarations.js'
import { contentLiteral, literal } from '../../modules/literal.js'
import { importRuntime, type References } from '../../modules/references.js'
import { frameworks } from '../../request/frameworks.js'
import { withPick } from '../../request/pick.js'
import type { Request } from '../../request/request.js'
import { fileKey } from '../shared/file-key.js'
import type { Tool } from './tool.js'

/** The files that replace this package. Paths are relative to the folder that they are written to. */
export type Output = ReturnType<typeof openOutput>

/** The folder for copies of this package's own files: the runtimes of components, and types. */
const runtime = 'runtime'

/** Generated code imports the style sheets of this package by their absolute paths. */
const sheetImport = /^import "[^"]*\/components\/runtime\/([\w-]+\.css)"$/gm

/** The modules of this package that an application may import at run time, or for their types. */
const modules: ReadonlySet<string> = new Set(['picture', 'asset', ...frameworks])

/** The paths of modules that aren't at the top of the package. */
const ownPaths: Readonly<Record<string, string>> = { astro: 'frameworks/astro/components', picture: 'entries/picture' }

/** @param isTyped whether each module gets declarations */
export function openOutput(engine: Engine, tool: Tool, isTyped: boolean) {
  const files = new Map<string, FileDescriptor>()
  const texts = new Map<string, string>()
  const paths = new Map<string, string>()

  /** Returns a unique path for a key. The path of a key never changes. */
  function pathOf(key: string, stem: string, extension: string): string {
    const known = paths.get(key)
    if (known !== undefined) return known
    const taken = new Set(paths.values())
    let path = `${stem}.${extension}`
    for (let count = 2; taken.has(path); count += 1) path = `${stem}-${count}.${extension}`
    paths.set(key, path)
    return path
  }

  function file(wanted: FileDescriptor): string {
    const recipe = wanted.recipe === undefined ? undefined : readRecipe(wanted.recipe)
    const width = recipe?.kind === 'raster' ? recipe.width : undefined
    const stem = [wanted.name.toLowerCase(), width].filter((part) => part !== undefined).join('-')
    const path = pathOf(fileKey(wanted), stem, wanted.ext)
    files.set(path, wanted)
    return path
  }

  /**
   * Adds the module that replaces a specifier.
   * @returns its path
   * @throws ContentSpaceError for an import that a module can't replace
   */
  async function module(used: UsedSpecifier): Promise<string> {
    const { specifier, names, uses } = used
    const request = engine.parse(specifier)
    requirePlain(request, specifier)
    const runtimes = new Set<RuntimeName>()
    const narrowed = (names && withPick(request, names)) ?? request
    const source = await engine.errors.checked(() => engine.modules.source(narrowed, references(runtimes)))
    const path = pathOf(specifier, stemOf(request.kind, specifier), 'js')
    for (const [, name = ''] of source.matchAll(sheetImport)) texts.set(`${runtime}/${name}`, await sheetText(name))
    for (const name of runtimes)
      for (const [part, content] of await runtimeFiles(name, false)) texts.set(`${runtime}/${part}`, content)
    texts.set(path, names?.length === 0 ? 'export {}\n' : source.replaceAll(sheetImport, `import "./${runtime}/$1"`))
    if (!isTyped) return path
    const declared = names && [...names, ...uses.flatMap(({ types = [] }) => types)]
    const described = await engine.describe(specifier, declared)
    const types = moduleDeclaration(described, declared)
    texts.set(path.replace(/\.js$/, '.d.ts'), await withOwnTypes(types))
    return path
  }

  function references(runtimes: Set<RuntimeName>): References {
    return {
      layout: 'whole',
      ...(tool.isNext ? { blurDataURL: true } : { pictureStyles: true }),
      address(wanted) {
        const path = file(wanted)
        const local = path.replace(/[^a-z0-9]+(.)?/gi, (_, next: string = '') => next.toUpperCase())
        const name = /^[a-z]/i.test(local) ? local : `file${local}`
        const isObject = tool.objects?.test(path) === true
        // Next.js imports only pictures.
        if (tool.isNext && !isObject) return { code: `new URL(${literal(`./${path}`)}, import.meta.url).href` }
        return { code: isObject ? `${name}.src` : name, import: { local: name, from: `./${path}` } }
      },
      value: async (requested) => ({ code: contentLiteral(await engine.files.value(requested)) }),
      runtime(name, exported) {
        runtimes.add(name)
        return importRuntime(name, exported, `./${runtime}/${name}.js`)
      },
    }
  }

  /** Returns a style sheet of components. The style sheet for pairs uses the project's selector. */
  async function sheetText(name: string): Promise<string> {
    const text = await readFile(runtimeFilePath(name), 'utf8')
    return text.replaceAll("[data-mode='content-space:dark']", engine.options.darkMode)
  }

  /** Copies the types of this package that declarations refer to. */
  async function withOwnTypes(text: string): Promise<string> {
    const found = [...text.matchAll(/import\('unplugin-content-space\/([a-z]+)'\)/g)].map(([, name = '']) => name)
    for (const name of found) await own(name)
    return text.replaceAll(/(?<=import\(')unplugin-content-space(?=\/[a-z]+'\))/g, `./${runtime}`)
  }

  /**
   * Copies a module of this package that doesn't need the others.
   * @returns its path; undefined for a module that is useless without the others
   */
  async function own(name: string): Promise<string | undefined> {
    if (!modules.has(name)) return undefined
    const path = ownPaths[name] ?? name
    // The modules are now in the same folder.
    const types = (await readFile(ownFile(`${path}.d.ts`), 'utf8')).replaceAll(
      /(?<=['"])\.\.\/(?=[a-z]+\.js['"])/g,
      './',
    )
    texts.set(posix.join(runtime, `${name}.d.ts`), types)
    for (const [, other = ''] of types.matchAll(/(?:from |import\()'\.\/([a-z]+)\.js'/g)) await own(other)
    if (name === 'picture') texts.set(posix.join(runtime, 'picture.js'), await readFile(ownFile(`${path}.js`), 'utf8'))
    return posix.join(runtime, `${name}.js`)
  }

  return { files, texts, file, module, own }
}

/** @throws ContentSpaceError for content that files on disk can't replace */
export function requirePlain(request: Request, specifier: string): void {
  const [drawing] = specifier.replace('content-space:app-icons/', '').split('?')
  if (request.kind === 'app-icons')
    throw new ContentSpaceError('invalidId', 'Application icons have fixed names at the root of the site.', {
      hint: `Write them with npx content-space app-icons ${drawing} --out public, and paste the links that it prints.`,
    })
  if ('query' in request && request.query.lazy)
    throw new ContentSpaceError('invalidQuery', 'lazy loads each asset from its own module.', {
      hint: 'Import the assets that the code needs, each with import().',
    })
}

/** Returns a readable name for a module: `brand`, `acme-logo`, `hero-photo-w-640-format-webp`. */
function stemOf(kind: Request['kind'], specifier: string): string {
  const [path = '', ...query] = specifier.slice('content-space:'.length).split('?')
  const parts = path.split('/').slice(1)
  const named = kind === 'asset' ? parts.slice(-1) : kind === 'kit' || kind === 'section' ? parts : [...parts, kind]
  return (
    [...named, ...query]
      .join('-')
      .toLowerCase()
      .match(/[a-z0-9]+/g) ?? ['content']
  )
    .join('-')
    .slice(0, 60)
}
