import { readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { fillParts } from './source-parts.js'

// Writes the parts of the pages that are made from the source.

for (const name of readdirSync('docs').filter((file) => file.endsWith('.md'))) {
  const page = readFileSync(`docs/${name}`, 'utf8')
  const filled = fillParts(page)
  if (filled !== page) writeFileSync(`docs/${name}`, filled)
}
