import { readFile } from 'node:fs/promises'
import { ownFile } from '../disk/own-file.js'
import type { AssetPlan } from '../files/plan.js'
import type { Framework } from '../request/frameworks.js'

/**
 * A module that generated code imports to make components of drawings and pictures. Pictures with a placeholder have a
 * module of their own, because they need JavaScript in the browser.
 */
export type RuntimeName = Framework | `${Framework}-placeholder`

/** The exports of runtimes. Runtimes for placeholders export neither `svg` nor `pair`. */
export type RuntimeExport = 'svg' | 'image' | 'picture' | 'pair'

/** Returns the absolute path of a runtime, with slashes. Its relative imports are of files in the same folder. */
export function runtimePath(name: RuntimeName): string {
  return runtimeFilePath(`${name}.js`)
}

/** Returns the absolute path of a file in the folder of runtimes, with slashes. */
export function runtimeFilePath(file: string): string {
  return ownFile(`components/runtime/${file}`).replaceAll('\\', '/')
}

/** Returns what imports the style sheet that keeps pictures in their containers. */
export function pictureStyles(from: true | 'package'): string {
  return from === 'package' ? 'unplugin-content-space/picture.css' : runtimeFilePath('picture.css')
}

/** Returns what imports the style sheet for pairs. Undefined for a class, where no plugin can write it in a sheet. */
export function darkStyles(from: true | 'package', darkMode: string): string | undefined {
  if (darkMode !== 'media') return from === 'package' ? undefined : runtimeFilePath('dark-mode.css')
  return from === 'package' ? 'unplugin-content-space/dark.css' : runtimeFilePath('dark.css')
}

/** A module of this package that contains types of content: of assets, or of the components of a framework. */
export type TypeModule = 'asset' | Framework

/** Returns the declarations of a module without comments. They need only the framework. */
export async function typesOf(module: TypeModule): Promise<string> {
  const path = ownFile(`${module === 'astro' ? 'frameworks/astro/components' : module}.d.ts`)
  return (await readFile(path, 'utf8')).replace(/^ *\/\*\*[\s\S]*?\*\/\n/gm, '')
}

export function runtimeOf(framework: Framework, { value, placeholder }: Pick<AssetPlan, 'value' | 'placeholder'>) {
  const name: RuntimeName = value === undefined && placeholder ? `${framework}-placeholder` : framework
  return name
}

/**
 * Returns the texts of the files of a runtime, by name: its own, and those that it imports, which lie beside it.
 * @param commonJs whether they are CommonJS instead of ES modules
 */
export async function runtimeFiles(name: RuntimeName, commonJs: boolean): Promise<Map<string, string>> {
  const converted: Record<string, string> = commonJs ? JSON.parse(await readRuntime('commonjs.json')) : {}
  const texts = new Map<string, string>()
  const names = [`${name}.js`]
  for (const file of names) {
    const text = await readRuntime(file)
    texts.set(file, converted[file] ?? text)
    for (const [, imported = ''] of text.matchAll(/\bfrom ['"]\.\/([\w.-]+)['"]/g))
      if (!names.includes(imported)) names.push(imported)
  }
  return texts
}

function readRuntime(file: string): Promise<string> {
  return readFile(runtimeFilePath(file), 'utf8')
}
