import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { differenceOf, lookAt, type Look } from '../src/commands/shared/findings/look.js'
import { createImporter } from '../dist/index.js'
import {
  drawingWays,
  foreignIcons,
  originals,
  pictureWays,
  plant,
  plantDrawing,
  plantPicture,
  playgroundSpace,
} from '../test/support/planted.js'

/**
 * Prints the data on which the thresholds of `audit` are based: by largest difference, the share of planted pictures
 * that are found and the number of foreign icons that are found; and how long 10,000 files take.
 *
 *     npx jiti bench/audit.ts [icons.json of an Iconify set]…
 */
const limits = [0.02, 0.04, 0.06, 0.1, 0.15, 0.2, 0.25, 0.3, 0.4]

const pictures = await originals()
const known = await Promise.all(pictures.map(async (one) => ({ ...one, looks: await lookAt(one.bytes) })))

const smallest = (found: readonly Look[], looks: readonly Look[]): number =>
  Math.min(Infinity, ...found.flatMap((one) => looks.map((other) => differenceOf(one, other, 1))))

function print(name: string, differences: readonly number[], format: (count: number) => string): void {
  const counts = limits.map((limit) => format(differences.filter((one) => one <= limit).length))
  console.log(`| ${[name, ...counts].join(' | ')} |`)
}

console.log(`| difference up to | ${limits.join(' | ')} |\n|${'---|'.repeat(limits.length + 1)}`)
for (const way of Object.keys(drawingWays).filter((name) => !['html', 'jsx', 'dataUri', 'base64'].includes(name))) {
  const drawings = known.filter(({ isDrawing }) => isDrawing)
  const differences = await Promise.all(
    drawings.map(async (one) => smallest(await lookAt(Buffer.from(plantDrawing(one, way).content)), one.looks)),
  )
  print(way, differences, (count) => `${Math.round((100 * count) / differences.length)} %`)
}
for (const way of Object.keys(pictureWays)) {
  const differences: number[] = []
  for (const one of known)
    differences.push(smallest(await lookAt(Buffer.from((await plantPicture(one, way)).content)), one.looks))
  print(way, differences, (count) => `${Math.round((100 * count) / differences.length)} %`)
}
const sets = process.argv.slice(2)
for (const set of sets.length > 0 ? sets : [undefined]) {
  const icons = await foreignIcons(3000, set)
  const differences: number[] = []
  for (const { content } of icons) {
    const look = await lookAt(Buffer.from(content))
    differences.push(Math.min(...known.map(({ looks }) => smallest(look, looks))))
  }
  print(`${icons.length} of ${set?.split('/').at(-2) ?? 'simple-icons'}`, differences, String)
}

const root = await mkdtemp(join(tmpdir(), 'content-space-audit-'))
const icons = await foreignIcons(1000)
const text = 'export const value = { color: "#123456", size: 12 }\n'.repeat(40)
await plant(root, [
  ...icons,
  ...Array.from({ length: 9000 }, (_, at) => ({ path: `src/${at}.ts`, content: text + at })),
])
for (const run of ['first', 'second']) {
  // Wait, because files that have just changed are read again.
  await new Promise((resolve) => setTimeout(resolve, 2500))
  const importer = await createImporter(
    { space: playgroundSpace, cacheDir: join(root, 'cache'), lockfile: false },
    { root },
  )
  const start = performance.now()
  const { files, read } = await importer.audit()
  console.log(`${run} run: ${files} files, ${read} read, ${Math.round(performance.now() - start)} ms`)
  await importer.close()
}
await rm(root, { recursive: true, force: true })
