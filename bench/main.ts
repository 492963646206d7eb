import { parseArgs } from 'node:util'
import { unpack } from './against.js'
import { compareCold } from './cold.js'
import { compareConcurrency } from './concurrency.js'
import { compareConversions } from './conversion.js'
import { compareDev } from './dev.js'
import { compareGrowth } from './growth.js'
import { compareListings } from './listing.js'
import { comparePictures } from './pictures.js'
import { comparePlain } from './plain.js'
import { comparePulls } from './pull.js'
import { compareRebuilds } from './rebuild.js'
import { compareRemote } from './remote.js'
import { printRows, type Column, type Comparison } from './report.js'
import { installNode, withSettings, type NodeVersion } from './settings.js'
import { compareStarts } from './start.js'
import { compareSync } from './sync.js'
import { compareTypes } from './types.js'
import { compareWarm } from './warm.js'

/** In the order of their rows in the table of targets. */
const comparisons: Record<string, Comparison> = {
  warm: compareWarm,
  cold: compareCold,
  sync: compareSync,
  types: compareTypes,
  pull: comparePulls,
  pictures: (scale) => comparePictures('webp;jpg', scale),
  avif: (scale) => comparePictures('avif;webp', scale),
  conversion: compareConversions,
  plain: comparePlain,
  dev: compareDev,
  rebuild: compareRebuilds,
  start: compareStarts,
  growth: compareGrowth,
  listing: compareListings,
  concurrency: compareConcurrency,
  remote: compareRemote,
}

/**
 * Comparisons that `--against` doesn't affect: two of them measure modules of the source, and one doesn't have figures
 * in this table.
 */
const alone = new Set(['types', 'conversion', 'growth'])

const { values, positionals: requested } = parseArgs({
  options: {
    quick: { type: 'boolean' },
    rounds: { type: 'string' },
    node: { type: 'string' },
    against: { type: 'string' },
  },
  allowPositionals: true,
})
const scale = values.quick ? 'quick' : 'full'
const unknown = requested.filter((name) => !Object.hasOwn(comparisons, name))
if (unknown.length > 0) {
  console.error(
    `Unknown comparison: ${unknown.join(', ')}. The comparisons are ${Object.keys(comparisons).join(', ')}.`,
  )
  process.exitCode = 2
} else {
  const started = performance.now()
  if (scale === 'quick') console.log('Quick: fewer runs and smaller kits. The figures are rough.\n')
  const other = values.against === undefined ? undefined : await unpack(values.against)
  const nodes = values.node === undefined ? [thisNode()] : await Promise.all(values.node.split(',').map(installNode))
  const all: Column[] = nodes.map(({ name }) => ({ node: name, rows: [] }))
  try {
    for (const [name, compare] of Object.entries(comparisons)) {
      if (requested.length > 0 && !requested.includes(name)) continue
      console.log(`### ${name}\n`)
      const begin = performance.now()
      for (const [at, { name: node, path }] of nodes.entries()) {
        if (nodes.length > 1) console.log(`${node}:\n`)
        const run = () => compare(scale)
        const rows = await withSettings({ node: path, rounds: Number(values.rounds ?? Infinity) }, () =>
          other && !alone.has(name) ? other.compare(run) : run(),
        )
        all[at]?.rows.push(...rows)
      }
      console.log(`${seconds(begin)} s\n`)
    }
    printRows(all)
    console.log(`${seconds(started)} s`)
  } finally {
    await other?.remove()
    await Promise.all(nodes.map((one) => one.remove()))
  }
}

function thisNode(): NodeVersion {
  return { name: `Node ${process.versions.node.split('.')[0]}`, path: process.execPath, remove: async () => {} }
}

function seconds(since: number): string {
  return ((performance.now() - since) / 1000).toFixed(0)
}
