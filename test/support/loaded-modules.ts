import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const root = fileURLToPath(new URL('../..', import.meta.url))
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
    // The bundler writes the name of each module before its code.
    const texts = await Promise.all(built.map((url) => readFile(fileURLToPath(url), 'utf8')))
    const lines = texts.join('\n').split('\n')
    const own = unique(lines, /^\/\/ build\/(.*)\.js$/)
    if (built.length > 0 && own.length === 0) throw new Error('The files of dist do not name their modules.')
    return {
      packages: unique(urls, /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)/),
      bundled: unique(lines, /^\/\/ .*\bnode_modules\/((?:@[^/]+\/)?[^/]+)/),
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

function unique(urls: string[], pattern: RegExp): string[] {
  return [...new Set(urls.flatMap((url) => pattern.exec(url)?.[1] ?? []))].toSorted()
}
