import { readFile } from 'node:fs/promises'
import { ownFile } from '../disk/own-file.js'
import type { AssetPlan } from '../files/plan.js'
import type { Framework } from '../request/frameworks.js'

/**
 * A module that generated code imports to make components of SVGs and pictures. Pictures with a placeholder have a
 * separate module, because they need JavaScript in the browser.
 */
export type RuntimeName = Framework | `${Framework}-placeholder`

/** The exports of runtimes. Runtimes for placeholders export neither `svg` nor `pair`. */
export type RuntimeExport = 'svg' | 'image' | 'picture' | 'pair'

/** Returns the absolute path of a runtime, with slashes. All its relative imports refer to files in the same folder. */
export function runtimePath(name: RuntimeName): string {
  return runtimeFilePath(`${name}.js`)
}

/** Returns the absolute path of a file in the runtimes' folder, with slashes. */
export function runtimeFilePath(file: string): string {
  return ownFile(`components/runtime/${file}`).replaceAll('\\', '/')
}

/** Returns the import of the style sheet that keeps pictures in their containers. */
export function pictureStyles(from: true | 'package'): string {
  return from === 'package' ? 'unplugin-content-space/picture.css' : runtimeFilePath('picture.css')
}

/**
 * Returns the import of the style sheet for pairs. With `package`, returns undefined if a class or attribute controls
 * dark mode, because no plugin could write its selector into the package's style sheet.
 */
export function darkStyles(from: true | 'package', darkMode: string): string | undefined {
  if (darkMode !== 'media') return from === 'package' ? undefined : runtimeFilePath('dark-mode.css')
  return from === 'package' ? 'unplugin-content-space/dark.css' : runtimeFilePath('dark.css')
}

/** A module of this package that contains types of content: either of assets or of a framework's components. */
export type TypeModule = 'asset' | Framework

/** Returns the declarations of a module without comments. They depend only on the framework. */
export async function typesOf(module: TypeModule): Promise<string> {
  const path = ownFile(`${module === 'astro' ? 'frameworks/astro/components' : module}.d.ts`)
  return (await readFile(path, 'utf8')).replace(/^ *\/\*\*[\s\S]*?\*\/\n/gm, '')
}

export function runtimeOf(framework: Framework, { value, placeholder }: Pick<AssetPlan, 'value' | 'placeholder'>) {
  const name: RuntimeName = value === undefined && placeholder ? `${framework}-placeholder` : framework
  return name
}

/**
 * Returns the code of a runtime's files by name: the runtime itself and the files beside it that it imports.
 * @param commonJs whether to return CommonJS instead of ES modules
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
