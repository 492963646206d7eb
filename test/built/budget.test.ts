import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join, posix } from 'node:path'
import * as v from 'valibot'
import { expect, test } from 'vitest'
import { expectWithin } from '../support/budgets.js'
import { bundledModules, packageName } from '../support/loaded-modules.js'

const packedSchema = v.tuple([v.object({ size: v.number(), unpackedSize: v.number(), entryCount: v.number() })])

const ranges = v.optional(v.record(v.string(), v.string()), {})
const lock = v.object({
  packages: v.record(v.string(), v.object({ dependencies: ranges, optionalDependencies: ranges })),
})

test('the packed package stays small', () => {
  const args = ['pack', '--dry-run', '--json', '--ignore-scripts']
  const text = execFileSync('npm', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
  const [{ size, unpackedSize, entryCount }] = v.parse(packedSchema, JSON.parse(text))
  expectWithin('packedBytes', size)
  expectWithin('unpackedBytes', unpackedSize)
  expectWithin('packedFiles', entryCount)
  const installed = installedPackages()
  expectWithin('installedPackages', installed.length)
  // Count the package itself too.
  expect(readFileSync('README.md', 'utf8')).toContain(`${installed.length + 1} packages`)
  expectWithin(
    'installedBytes',
    installed.map(sizeOf).reduce((sum, bytes) => sum + bytes, unpackedSize),
  )
})

test('the README stays short', () => {
  expectWithin('readmeWords', readFileSync('README.md', 'utf8').split(/\s+/).filter(Boolean).length)
})

/** Returns the folders of all packages that an installation adds on this platform, apart from this package. */
function installedPackages(): string[] {
  const { packages } = v.parse(lock, JSON.parse(readFileSync('package-lock.json', 'utf8')))
  const found = new Set([''])
  for (const folder of found) {
    const { dependencies = {}, optionalDependencies = {} } = packages[folder] ?? {}
    for (const name of Object.keys({ ...dependencies, ...optionalDependencies })) {
      const parents = [...folder.matchAll(/(?<=^|\/)(?=node_modules\/)|$/g)].map(({ index }) => folder.slice(0, index))
      const places = parents.toReversed().map((parent) => posix.join(parent, 'node_modules', name))
      const place = places.find((path) => path in packages)
      if (place !== undefined && existsSync(place)) found.add(place)
    }
  }
  return [...found].filter(Boolean)
}

/** Returns the size of a package in bytes, excluding the packages inside it. */
function sizeOf(folder: string): number {
  const entries = readdirSync(folder, { withFileTypes: true }).filter(({ name }) => name !== 'node_modules')
  return entries
    .map((entry) => (entry.isDirectory() ? sizeOf(join(folder, entry.name)) : statSync(join(folder, entry.name)).size))
    .reduce((sum, size) => sum + size, 0)
}

test('the declarations need only files and packages that are installed, and bundled libraries have licenses', () => {
  const { exports, dependencies, peerDependencies, name } = v.parse(
    manifest,
    JSON.parse(readFileSync('package.json', 'utf8')),
  )
  const known = [name, 'astro', '@nuxt/schema', ...Object.keys({ ...dependencies, ...peerDependencies })]
  const packed = readdirSync('dist', { recursive: true, encoding: 'utf8' }).filter((path) => /\.d\.c?ts$/.test(path))
  const exported = Object.values(exports).flatMap((entry) => (typeof entry === 'string' ? [] : [join(entry.types)]))
  const files = [...new Set([...exported, ...packed.map((path) => join('dist', path))])]
  const unknown = new Set<string>()
  for (const file of files) {
    const text = readFileSync(file, 'utf8').replaceAll(/\/\*[\s\S]*?\*\//g, '')
    for (const [, specifier = ''] of text.matchAll(/(?:from |import\()['"]([^'"]+)['"]/g)) {
      if (!specifier.startsWith('.')) {
        const needed = /^(?:@[^/]+\/)?[^/]+/.exec(specifier)?.[0] ?? ''
        if (!needed.startsWith('node:') && !known.includes(needed)) unknown.add(needed)
        continue
      }
      const path = join(file, '..', specifier).replace(/\.(c?)js$/, '.d.$1ts')
      if (!files.includes(path)) files.push(path)
    }
  }
  expect([...unknown]).toEqual([])
  for (const library of bundledLibraries())
    expect(`\n\n${readFileSync('dist/licenses.txt', 'utf8')}`).toContain(`\n\n${library}\n\n`)
})

test('stack traces of the minified code show the names of functions, each on a line of its own', () => {
  const [file = ''] = Object.entries(bundledModules()).find(([, modules]) => modules.includes('build/errors.js')) ?? []
  const lines = readFileSync(join('dist', file), 'utf8').split('\n')
  expect(
    lines.filter((line) => /^function messageOf\(|^(?:var \w+=)?class ContentSpaceError /.test(line)),
  ).toHaveLength(2)
})

/** Returns the libraries that are bundled in the scripts. */
function bundledLibraries(): string[] {
  const scripts = Object.entries(bundledModules()).filter(([file]) => /^(?:chunks.)?[^/\\]*\.js$/.test(file))
  const names = scripts.flatMap(([, modules]) => modules.flatMap((path) => packageName.exec(path)?.[1] ?? []))
  expect(names).toEqual(expect.arrayContaining(['p-queue', 'eventemitter3', 'magic-string']))
  return [...new Set(names)]
}

const manifest = v.object({
  name: v.string(),
  exports: v.record(v.string(), v.union([v.string(), v.object({ types: v.string() })])),
  dependencies: v.record(v.string(), v.string()),
  peerDependencies: v.record(v.string(), v.string()),
})
