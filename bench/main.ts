import { cpus } from 'node:os'
import { kit } from './kit.js'
import { pictures } from './pictures.js'

// `npm run bench` runs all of them, `npm run bench -- pictures` one. Times are of this machine, in this run.
const benches = { kit, pictures }

const wanted = process.argv.slice(2)
console.log(`Node ${process.version}, ${cpus().length} cores`)
for (const [name, bench] of Object.entries(benches)) {
  if (wanted.length === 0 || wanted.includes(name)) {
    console.log(`\n${name}`)
    console.table(await bench())
  }
}
