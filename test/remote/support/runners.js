// Runs many runners in one process: node runners.js <JSON of { roots, options, apart }>
//
// Each runner has its own cache folder and its own connection to the engine, and starts `apart` milliseconds after the
// previous one.
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { createImporter } from 'unplugin-content-space'

const { roots, options, apart } = JSON.parse(process.argv[2])

async function run(root, at) {
  await setTimeout(at * apart)
  const given = { ...options, cacheDir: join(root, 'cache'), types: false }
  const importer = await createImporter(given, { root, env: {} })
  try {
    const { files, warnings } = await importer.sync()
    return { files, warnings }
  } catch (error) {
    return { files: 0, warnings: [String(error)] }
  } finally {
    await importer.close()
  }
}

process.stdout.write(JSON.stringify(await Promise.all(roots.map(run))))
