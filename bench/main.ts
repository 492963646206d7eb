import { compareKits } from './kit.js'
import { comparePictures } from './pictures.js'
import { comparePulls } from './pull.js'
import { compareStarts } from './start.js'
import { compareTypes } from './types.js'

const comparisons: Record<string, () => Promise<void>> = {
  start: compareStarts,
  kit: compareKits,
  types: compareTypes,
  pull: comparePulls,
  pictures: () => comparePictures('webp;jpg'),
  avif: () => comparePictures('avif;webp'),
}

const asked = process.argv.slice(2)
const unknown = asked.filter((name) => !Object.hasOwn(comparisons, name))
if (unknown.length > 0) {
  console.error(`There is no comparison ${unknown.join(', ')}: there are ${Object.keys(comparisons).join(', ')}.`)
  process.exitCode = 2
} else {
  for (const [name, compare] of Object.entries(comparisons)) {
    if (asked.length > 0 && !asked.includes(name)) continue
    console.log(`\n### ${name}\n`)
    await compare()
  }
}
