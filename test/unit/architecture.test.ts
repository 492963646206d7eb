import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import fastGlob from 'fast-glob'
import { describe, expect, test } from 'vitest'

const src = fileURLToPath(new URL('../../src', import.meta.url))

/**
 * Rooms (folders of `src`) from bottom to top. A room may import itself and rooms in lower rows. Type imports count
 * too.
 */
const rows = [
  ['text'],
  ['errors', 'asset'],
  ['async', 'progress', 'print'],
  ['disk'],
  ['source', 'space'],
  ['request', 'remote'],
  ['kit', 'files'],
  ['config'],
  ['lock'],
  ['catalog'],
  ['components'],
  ['modules'],
  ['tokens'],
  ['engine'],
  ['terminal'],
  ['commands'],
  ['importer'],
  ['bundlers', 'cli'],
  ['frameworks'],
  ['entries'],
]

/**
 * The number of lines of each room and each command when they were last counted. If a room has grown by more than a
 * tenth, give it a new number in a commit that says why.
 */
const counted: Readonly<Record<string, number>> = {
  asset: 377,
  async: 162,
  bundlers: 7619,
  catalog: 1150,
  cli: 212,
  'commands/app-icons': 158,
  'commands/audit': 1602,
  'commands/browse': 4765,
  'commands/cache': 719,
  'commands/catalog': 52,
  'commands/complete': 81,
  'commands/diff': 260,
  'commands/doctor': 500,
  'commands/eject': 708,
  'commands/init': 1332,
  'commands/ls': 364,
  'commands/mcp': 739,
  'commands/mirror': 624,
  'commands/pull': 1873,
  'commands/serve': 914,
  'commands/shared': 6102,
  'commands/sync': 176,
  'commands/tokens': 149,
  'commands/usage': 326,
  components: 1040,
  config: 1547,
  disk: 2116,
  engine: 1855,
  entries: 192,
  errors: 355,
  files: 6401,
  frameworks: 2306,
  importer: 169,
  index: 79,
  kit: 1786,
  lock: 2621,
  modules: 1834,
  print: 113,
  progress: 244,
  remote: 2181,
  request: 961,
  source: 1978,
  space: 7372,
  terminal: 814,
  text: 493,
  tokens: 1235,
}

const files = fastGlob.sync('**/*.{ts,tsx,svelte,astro}', { cwd: src }).toSorted()
const texts = new Map(files.map((file) => [file, readFileSync(join(src, file), 'utf8')]))

/** Returns imports of values and types within `src`, including dynamic ones. */
function importsOf(file: string): string[] {
  const specifiers =
    texts.get(file)?.matchAll(/(?:\bfrom |\bimport )'(\.[^']+(?<!\.css))'|\bimport\('(\.[^']+)'\)/g) ?? []
  return Array.from(specifiers, ([, from, dynamic]) => {
    const path = join(src, dirname(file), from ?? dynamic ?? '')
    const target = relative(src, path).replaceAll('\\', '/').replace(/\.js$/, '.ts')
    return texts.has(`${target}x`) ? `${target}x` : target
  })
}

const roomOf = (file: string): string => file.split('/')[0]?.replace(/\.tsx?$/, '') ?? ''

/** Returns the folder of a command, such as `audit`. */
const commandOf = (file: string): string | undefined => /^commands\/([^/]+)/.exec(file)?.[1]

/** Returns the position of a file's room in `rows`. `index`, the public API, is above all rooms. */
const rank = (file: string): number => {
  const row = rows.findIndex((rooms) => rooms.includes(roomOf(file)))
  return row === -1 ? rows.length : row
}

describe('the layout', () => {
  test('includes every room', () => {
    const rooms = [...new Set(files.map(roomOf))]
    expect(rooms.toSorted()).toEqual([...rows.flat(), 'index'].toSorted())
  })

  test('has imports of existing files only', () => {
    for (const file of files) expect(files, file).toEqual(expect.arrayContaining(importsOf(file)))
  })

  test('has imports in one direction only', () => {
    const wrong = files.flatMap((file) =>
      importsOf(file)
        .filter((target) => roomOf(target) !== roomOf(file) && rank(target) >= rank(file))
        .map((target) => `${file} -> ${target}`),
    )
    expect(wrong).toEqual([])
  })

  test("doesn't have imports between commands, except shared code", () => {
    const wrong = files.flatMap((file) => {
      const own = commandOf(file)
      const foreign = (target: string) => ![undefined, own, 'shared'].includes(commandOf(target))
      return own === undefined
        ? []
        : importsOf(file)
            .filter(foreign)
            .map((target) => `${file} -> ${target}`)
    })
    expect(wrong).toEqual([])
  })

  test("doesn't have circular imports between files", () => {
    const done = new Set<string>()
    const circles: string[] = []
    function visit(file: string, path: string[]): void {
      if (path.includes(file)) circles.push([...path.slice(path.indexOf(file)), file].join(' -> '))
      if (done.has(file) || path.includes(file)) return
      for (const target of importsOf(file)) visit(target, [...path, file])
      done.add(file)
    }
    for (const file of files) visit(file, [])
    expect(circles).toEqual([])
  })

  test("doesn't have folders with more than 28 files", () => {
    const folders = files.filter((file) => file.includes('/')).map((file) => dirname(file))
    const large = folders.filter((folder) => folders.filter((other) => other === folder).length > 28)
    expect([...new Set(large)]).toEqual([])
  })

  test("doesn't have lines over 120 columns or files over 400 lines", () => {
    const long = files.filter((file) =>
      texts
        .get(file)
        ?.split('\n')
        .some((line) => line.length > 120),
    )
    expect(long).toEqual([])
    expect(files.filter((file) => (texts.get(file)?.trimEnd().split('\n').length ?? 0) > 400)).toEqual([])
  })
})

test('no room has grown by more than a tenth', () => {
  const lines = new Map<string, number>()
  for (const [file, text] of texts) {
    const command = commandOf(file)
    const room = command === undefined ? roomOf(file) : `commands/${command}`
    lines.set(room, (lines.get(room) ?? 0) + text.split('\n').length - 1)
  }
  expect([...lines.keys()].toSorted()).toEqual(Object.keys(counted).toSorted())
  const grown = [...lines].filter(([room, count]) => count > 1.1 * (counted[room] ?? 0))
  expect(grown.map(([room, count]) => `${room} has ${count} lines, and had ${counted[room]}`)).toEqual([])
})

describe('the unit tests', () => {
  test('cannot reach the built package', () => {
    const require = createRequire(import.meta.url)
    expect(() => require.resolve('#dist/index.js')).toThrow('Move it from test/unit to test/built.')
  })

  test('refer neither to files of the built package nor to support that runs it', () => {
    const cwd = fileURLToPath(new URL('.', import.meta.url))
    const needing = fastGlob
      .sync('**/*.ts', { cwd })
      .filter((file) =>
        /(?:\.\.\/|#)(?:dist|build)\/|support\/(?:cli|installed|measured)\.js/.test(
          readFileSync(join(cwd, file), 'utf8'),
        ),
      )
    expect(needing.filter((file) => file !== 'architecture.test.ts')).toEqual([])
  })
})
