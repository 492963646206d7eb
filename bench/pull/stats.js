// Reads a pulled folder's manifest and calls `stat` for each file that it lists.
import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'

const [, , folder = ''] = process.argv
/** @type {{ written: Record<string, unknown> }} */
const { written } = JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8'))
let size = 0
for (const path of Object.keys(written)) size += statSync(join(folder, path)).size
console.log(size)
