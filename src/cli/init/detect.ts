import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import glob from 'fast-glob'
import * as v from 'valibot'

/** Each bundler's package, and how its configuration files are called. One that uses another comes before it. */
const bundlers = {
  vite: ['vite', 'vite.config'],
  farm: ['@farmfe/core', 'farm.config'],
  rspack: ['@rspack/core', 'rspack.config'],
  webpack: ['webpack', 'webpack.config'],
  rolldown: ['rolldown', 'rolldown.config'],
  rollup: ['rollup', 'rollup.config'],
  esbuild: ['esbuild', 'esbuild.config'],
} as const satisfies Record<string, readonly [string, string]>

export type Bundler = keyof typeof bundlers

export const bundlerNames = Object.keys(bundlers).filter(isBundler)

/** What a project says of itself. */
export interface Project {
  bundler?: Bundler
  /** The bundler's configuration file, where there is one. */
  bundlerConfig?: string
  typescript: boolean
  /** Whether `.js` files are ES modules. */
  esm: boolean
  /** What installs packages. */
  manager: string
  /** Whether this package is among the dependencies. */
  installed: boolean
}

const packageJson = v.object({
  type: v.optional(v.string()),
  dependencies: v.optional(v.record(v.string(), v.unknown()), {}),
  devDependencies: v.optional(v.record(v.string(), v.unknown()), {}),
})

const managers: Readonly<Record<string, string>> = {
  'pnpm-lock.yaml': 'pnpm add --save-dev',
  'yarn.lock': 'yarn add --dev',
  'bun.lock': 'bun add --dev',
  'bun.lockb': 'bun add --dev',
}

/**
 * Looks into `package.json`, at configuration files and at lock files. A configuration file says more than a
 * dependency.
 * @param wanted the bundler, where the user says it
 */
export async function detectProject(root: string, wanted?: Bundler): Promise<Project> {
  const files = await glob('*', { cwd: root, dot: true })
  const { type, dependencies, devDependencies } = await readPackage(root)
  const packages = new Set([...Object.keys(dependencies), ...Object.keys(devDependencies)])
  const configOf = (name: Bundler): string | undefined =>
    files.find((file) => /\.[cm]?[jt]s$/.test(file) && file.startsWith(`${bundlers[name][1]}.`))
  const bundler = wanted ?? bundlerNames.find(configOf) ?? bundlerNames.find((name) => packages.has(bundlers[name][0]))
  const bundlerConfig = bundler && configOf(bundler)
  return {
    ...(bundler ? { bundler } : {}),
    ...(bundlerConfig === undefined ? {} : { bundlerConfig }),
    typescript: files.includes('tsconfig.json') || packages.has('typescript'),
    esm: type === 'module',
    manager: managers[files.find((file) => Object.hasOwn(managers, file)) ?? ''] ?? 'npm install --save-dev',
    installed: packages.has('unplugin-content-space'),
  }
}

/** Whether git leaves a file out; without git, whether a `.gitignore` names it. */
export async function isIgnored(root: string, file: string): Promise<boolean> {
  try {
    await promisify(execFile)('git', ['check-ignore', '--quiet', file], { cwd: root })
    return true
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    if (code === 1) return false
    const lines = await readFile(join(root, '.gitignore'), 'utf8').catch(() => '')
    return lines.split(/\r?\n/).some((line) => [file, `/${file}`, `${file}*`].includes(line.trim()))
  }
}

async function readPackage(root: string): Promise<v.InferOutput<typeof packageJson>> {
  const text = await readFile(join(root, 'package.json'), 'utf8').catch(() => '{}')
  try {
    return v.parse(packageJson, JSON.parse(text))
  } catch {
    return v.parse(packageJson, {})
  }
}

function isBundler(name: string): name is Bundler {
  return Object.hasOwn(bundlers, name)
}
