import { compareDev } from './dev.js'
import { compareKits } from './kit.js'
import { comparePictures } from './pictures.js'
import { comparePulls } from './pull.js'
import { compareStarts } from './start.js'
import { compareTypes } from './types.js'

const comparisons: Record<string, () => Promise<void>> = {
  start: compareStarts,
  dev: compareDev,
  kit: compareKits,
  types: compareTypes,
  pull: comparePulls,
  pictures: () => comparePictures('webp;jpg'),
  avif: () => comparePictures('avif;webp'),
}

const requested = process.argv.slice(2)
const unknown = requested.filter((name) => !Object.hasOwn(comparisons, name))
if (unknown.length > 0) {
  console.error(
    `Unknown comparison: ${unknown.join(', ')}. The comparisons are ${Object.keys(comparisons).join(', ')}.`,
  )
  process.exitCode = 2
} else {
  for (const [name, compare] of Object.entries(comparisons)) {
    if (requested.length > 0 && !requested.includes(name)) continue
    console.log(`\n### ${name}\n`)
    await compare()
  }
}
