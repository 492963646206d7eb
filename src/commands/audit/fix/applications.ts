import { basename, join, posix } from 'node:path'
import { memoize } from '../../../async/memoize.js'
import { readManifest } from '../../../config/manifest.js'
import { bundlers, type Proof } from './bundlers.js'
import { readConfigText } from './config-values.js'
import { linksOf, resolver, type Link } from './links.js'
import { otherTools } from './package-tools.js'
import type { Texts } from './texts.js'

/** A package of a project, and how its bundler treats the package's files. */
export interface Application {
  /** The folder of the package. */
  folder: string
  /** The configuration of the bundler. */
  config: string
  proof: Proof
  /** Returns why we can't be certain that only the bundler reads a file. */
  problem(file: string): string | undefined
  /** Whether a file is a test that this configuration runs. */
  isTest(file: string): boolean
  /** The paths in a file that the application's build follows. */
  linksOf(text: string, file: string): Link[]
}

/** Matches files that may import others, by their extensions. */
const source = /\.(?:[cm]?[jt]sx?|vue|svelte|astro|mdx|html?|css|pcss|postcss|less|s[ac]ss|styl)$/i
const declarations = /\.d\.[cm]?ts$/
const tests = /(?:\.(?:test|spec)\.[cm]?[jt]sx?$)|(?:^|\/)__tests__\//

/** Returns a function that finds the application that a file belongs to, or says why it can't. */
export function openApplications(texts: Texts): (file: string) => Promise<Application | string> {
  const known = memoize((folder: string) => open(folder, texts))
  const packages = new Set(
    texts.files.filter((file) => basename(file) === 'package.json').map((file) => posix.dirname(file)),
  )
  return async (file) => {
    const folder = foldersOf(file).find((one) => packages.has(one))
    return folder === undefined ? 'it is in no package' : known.get(folder)
  }
}

/** Returns the folders that contain a file, nearest first. */
function foldersOf(file: string): string[] {
  const folder = posix.dirname(file)
  return folder === file || /(?:^|\/)\.\.$/.test(folder) ? [] : [folder, ...foldersOf(folder)]
}

async function open(folder: string, texts: Texts): Promise<Application | string> {
  const inFolder = texts.files.filter((file) => posix.dirname(file) === folder)
  const manifest = await texts.read(posix.join(folder, 'package.json'))
  const configs = inFolder.filter((file) => bundlerConfig.test(basename(file)))
  const [config] = configs
  const bundler = bundlers.find((one) => config !== undefined && one.config.test(basename(config)))
  if (config === undefined || bundler === undefined || configs.length > 1 || manifest === undefined)
    return configs.length > 1
      ? `${configs.join(' and ')} configure bundlers`
      : 'the configuration of its bundler is not known'
  const text = readConfigText((await texts.read(config)) ?? '', config)
  const proof = text ? bundler.prove(text) : 'it cannot be parsed'
  if (text?.imports.has('fs') || text?.imports.has('node:fs')) return `${config} reads files itself`
  if (typeof proof === 'string') return `of ${config}: ${proof}`
  const other = otherTools(join(texts.root, folder), manifest, [bundler.commands])
  if (other !== undefined) return other
  const paths = resolver(new Set(texts.files), folder, proof.aliases)
  const { resolve } = paths
  const links = (code: string, file: string): Link[] => linksOf(code, file, paths)
  const runsTests = readManifest(join(texts.root, folder))?.packages.has('vitest') === true

  /** The links in each text, by file. */
  const named = new Map<string, Link[]>()
  for (const file of texts.files) {
    if (!source.test(file) || declarations.test(file) || file === config) continue
    const code = await texts.read(file)
    if (code !== undefined) named.set(file, links(code, file))
  }
  const isEntry = (file: string): boolean => {
    const path = posix.relative(folder, file)
    return !path.startsWith('..') && proof.entryNames?.test(path) === true
  }
  const entries = proof.entries.flatMap(
    (path) => resolve(path.replace(/^(?!\.{0,2}\/)/, './'), posix.join(folder, 'package.json')) ?? [],
  )
  const built = follow([...entries, ...[...named.keys()].filter(isEntry)], named)
  const isTest = (file: string): boolean =>
    runsTests && tests.test(file) && file.startsWith(folder === '.' ? '' : `${folder}/`)
  /** By file, another file that may read it in a way that the bundler doesn't know. */
  const read = new Map<string, string>()
  for (const [file, all] of named)
    for (const { target, builds } of all)
      if (!builds || !(built.has(file) || isTest(file))) for (const one of follow([target], named)) read.set(one, file)

  return {
    folder,
    config,
    proof,
    isTest,
    linksOf: links,
    problem(file) {
      const reader = read.get(file)
      if (!built.has(file)) return `no entry of ${config} imports it, as far as is known`
      return reader === undefined ? undefined : `${reader} may read it in another way`
    },
  }
}

/** Tools whose configuration or files show that they build the source. */
const tools = [
  'vite|vitest|webpack|rspack|rsbuild|rslib|rollup|rolldown|esbuild|farm|next|nuxt|astro|metro|babel|gatsby|craco|vue',
  'angular|parcel|snowpack|tsup|tsdown|jest|karma|wmr|brunch|remix|react-router|electron\\.vite|docusaurus|gulpfile',
  'Gruntfile|cypress|config-overrides',
].join('|')
const bundlerConfig = new RegExp(
  String.raw`^(?:(?:${tools})(?:[.-][\w.-]+)?\.(?:[cm]?[jt]s|json)|build\.[cm]?js|\.(?:parcel|babel|swc)rc(?:\.\w+)?)$`,
)

/** Returns files and everything that a build of them imports. */
function follow(files: readonly string[], named: ReadonlyMap<string, readonly Link[]>): Set<string> {
  const found = new Set<string>()
  const queue = [...files]
  for (let file = queue.pop(); file !== undefined; file = queue.pop()) {
    if (found.has(file)) continue
    found.add(file)
    for (const { target, builds } of named.get(file) ?? []) if (builds) queue.push(target)
  }
  return found
}
