import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import * as v from 'valibot'

const root = fileURLToPath(new URL('../..', import.meta.url))
const listsSchema = v.record(v.string(), v.array(v.string()))
/** Matches the path of a module up to the name of its package. */
export const packageName = /.*\bnode_modules\/((?:@[^/]+\/)?[^/]+)/
const inlined = (code: string): string => `data:text/javascript,${encodeURIComponent(code)}`

/** Writes the names of ES modules, and of the CommonJS modules that they import, to a file. */
const hooks = `
  import { appendFileSync } from 'node:fs'
  let list
  export const initialize = (data) => { list = data }
  export async function load(url, context, next) {
    appendFileSync(list, url + '\\n')
    return next(url, context)
  }`

/** Also writes the names of CommonJS modules that other CommonJS modules require. */
const recorder = `
  import { appendFileSync } from 'node:fs'
  import Module, { register } from 'node:module'
  import { pathToFileURL } from 'node:url'
  const list = process.env.LOADED_MODULES
  register(${JSON.stringify(inlined(hooks))}, { data: list })
  process.on('exit', () => {
    for (const path of Object.keys(Module._cache)) appendFileSync(list, pathToFileURL(path).href + '\\n')
  })`

export interface LoadedModules {
  /** The names of packages, sorted. */
  packages: string[]
  /** The names of libraries that are bundled in the loaded files of `dist`, sorted. */
  bundled: string[]
  /** The modules of this package in the loaded files of `dist`, named as in `src` and sorted. */
  own: string[]
  /** How many files of `dist` were loaded. */
  files: number
}

/** Runs Node in the project's root and returns the modules that it loads. */
export async function loadedModules(args: string[]): Promise<LoadedModules> {
  const folder = await mkdtemp(join(tmpdir(), 'content-space-loaded-'))
  const list = join(folder, 'list.txt')
  try {
    await writeFile(list, '')
    await promisify(execFile)(process.execPath, ['--import', inlined(recorder), ...args], {
      cwd: root,
      env: { ...process.env, LOADED_MODULES: list },
    })
    const urls = [...new Set((await readFile(list, 'utf8')).split('\n'))]
    const built = urls.filter((url) => /^(?!.*\/node_modules\/).*\/dist\/.*\.c?js$/.test(url))
    const lists = bundledModules()
    const modules = built.flatMap((url) => lists[url.replace(/.*\/dist\//, '')] ?? [])
    const own = unique(modules, /^build\/(.*)\.js$/)
    if (built.length > 0 && own.length === 0)
      throw new Error('The build does not list the modules of the loaded files.')
    return {
      packages: unique(urls, packageName),
      bundled: unique(modules, packageName),
      own,
      files: built.length,
    }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Runs a script as an ES module. */
export function loadedByScript(code: string): Promise<LoadedModules> {
  return loadedModules(['--input-type=module', '--eval', code])
}

/** Returns the paths of the modules that the build has bundled in each file of `dist`. */
export function bundledModules(): Record<string, string[]> {
  return v.parse(listsSchema, JSON.parse(readFileSync(join(root, 'build/modules.json'), 'utf8')))
}

function unique(urls: string[], pattern: RegExp): string[] {
  return [...new Set(urls.flatMap((url) => pattern.exec(url)?.[1] ?? []))].toSorted()
}
