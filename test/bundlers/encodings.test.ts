import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Options } from '../../src/config/options.js'
import { build, createProject } from './driver.js'
import { esbuildDriver } from './drivers/esbuild.js'
import { rollupDriver } from './drivers/rollup.js'
import { drawing, kits, openTestSpace, type TestSpace } from './space.js'

const text = `<?xml version="1.0" encoding="UTF-16"?>${drawing('Größe 漢字')}`
const little = Buffer.from(`\ufeff${text}`, 'utf16le')
const encodings = { 'UTF-16, little-endian': little, 'UTF-16, big-endian': Buffer.from(little).swap16() }

let space: TestSpace
beforeAll(async () => {
  space = await openTestSpace()
  await space.edit('01 Logos/same.svg', drawing('Größe 漢字'))
})
afterAll(() => space.close())

async function run(driver: typeof rollupDriver, queries: string[], options: Options) {
  const imports = queries.map((query, at) => `import p${at} from 'content-space:asset/${kits.brand}/${query}'\n`)
  const names = queries.map((_, at) => `p${at}`).join()
  const project = await createProject({ 'main.js': `${imports.join('')}console.log(JSON.stringify([${names}]))` })
  try {
    const output = await build(driver, project, { ...space.options(), ...options, lockfile: false })
    return { values: Object(await output.run()), files: output.assets().map(([, bytes]) => bytes) }
  } finally {
    await project.remove()
  }
}

describe.each(Object.entries(encodings))('%s', (_, bytes) => {
  beforeAll(() => space.edit('01 Logos/wide.svg', bytes))

  test.each([rollupDriver, esbuildDriver])('becomes UTF-8 when it is sanitized', async (driver) => {
    const { values, files } = await run(driver, ['wide?raw', 'wide', 'wide?as=inline&format=png&w=20'], {})
    expect(values[0]).toContain('<title>Größe 漢字</title>')
    expect(values[0]).toContain('M0 0h40v20H0z')
    expect(values[0]).not.toContain('encoding')
    expect(values[1]).toMatchObject({ width: 40, height: 20 })
    expect(files.map((file) => Buffer.from(file).toString())).toEqual([values[0]])
    const same = await run(driver, ['same?as=inline&format=png&w=20'], {})
    expect(values[2]).toEqual(same.values[0])
  })

  test.each([rollupDriver, esbuildDriver])(
    'is kept as it is when it is trusted, and can be optimized',
    async (driver) => {
      const { values, files } = await run(driver, ['wide', 'wide?svgo&raw'], { svg: 'trust' })
      expect(files.map((file) => Buffer.from(file))).toEqual([bytes])
      expect(values[1]).toContain('<title>Größe 漢字</title>')
    },
  )
})
