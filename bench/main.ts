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
import { printRows, type Comparison, type Row } from './report.js'
import { compareStarts } from './start.js'
import { compareTypes } from './types.js'
import { compareWarm } from './warm.js'

/** In the order of their rows in the table of targets. */
const comparisons: Record<string, Comparison> = {
  warm: compareWarm,
  cold: compareCold,
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
 * Comparisons that `--against` doesn't change: two measure modules of the source, and one has no figures in this table.
 */
const alone = new Set(['types', 'conversion', 'growth'])

const { values, positionals: requested } = parseArgs({
  options: { quick: { type: 'boolean' }, against: { type: 'string' } },
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
  const all: Row[] = []
  try {
    for (const [name, compare] of Object.entries(comparisons)) {
      if (requested.length > 0 && !requested.includes(name)) continue
      console.log(`### ${name}\n`)
      const begin = performance.now()
      const rows = other && !alone.has(name) ? await other.compare(() => compare(scale)) : await compare(scale)
      all.push(...rows)
      if (rows.length > 0) printRows(rows)
      console.log(`${seconds(begin)} s\n`)
    }
    if (requested.length !== 1) {
      console.log('### All targets\n')
      printRows(all)
      console.log(`${seconds(started)} s`)
    }
  } finally {
    await other?.remove()
  }
}

function seconds(since: number): string {
  return ((performance.now() - since) / 1000).toFixed(0)
}
