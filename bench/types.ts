import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { declarationsText } from '../src/modules/declarations.js'
import { assetRecord, meaning, namedKit } from '../test/support/declared.js'
import { check, project } from '../test/types/tsc.js'
import { inTurn, middle, ratio, timed } from './compare.js'
import { printTable, ratioText, type Row, type Scale } from './report.js'

const assets = 10_000
/** The exports that the source uses. In the declarations of a large kit, only these have comments. */
const used = new Set(['default', 'asset1', 'asset2', 'asset3', 'asset4', 'asset5'])
const rounds = { full: 9, quick: 3 }

/** Compiles both with the client's wildcards and with exact declarations. */
const source = `/// <reference types="unplugin-content-space/client" />
import kit from 'content-space:kit/brand'
export const name: string = kit.name
`

/** Measures the size of exact types, how long `tsc` takes with them, and how long writing them takes. */
export async function compareTypes(scale: Scale): Promise<Row[]> {
  const named = namedKit(Array.from({ length: assets }, (_, index) => assetRecord(index + 1, `Asset ${index + 1}`)))
  const text = (): string => declarationsText([{ ...meaning('content-space:kit/brand', named), used }])
  const folders = {
    without: await project({ 'main.ts': source }),
    with: await project({ 'main.ts': source, 'content-space.d.ts': text() }),
  }
  try {
    const measured = await inTurn(
      'types',
      [
        ...Object.entries(folders).map(([name, folder]) => ({ name, run: () => timed(() => checkClean(folder)) })),
        { name: 'write', run: () => timed(async () => writeFile(join(folders.with, 'content-space.d.ts'), text())) },
      ],
      rounds[scale],
      true,
    )
    printTable([
      ['`tsc` 7 with the types of 10,000 assets : without them', 'writing them : `tsc` without them'],
      [ratioText(ratio(measured, 'with', 'without').now), ratioText(ratio(measured, 'write', 'without').now)],
    ])
    const added = (middle(measured, 'with') - middle(measured, 'without')) / 1000
    return [
      {
        work: `\`content-space.d.ts\` of ${assets.toLocaleString('en')} assets`,
        against: 'nothing',
        figures: [{ now: Buffer.byteLength(text()) / 1e6, unit: 'MB', target: 1.5 }],
      },
      {
        work: `\`tsc\` 7 with \`content-space.d.ts\` of ${assets.toLocaleString('en')} assets: time added`,
        against: '`tsc` 7 without it',
        figures: [{ now: added, unit: 's', target: 0.3 }],
      },
    ]
  } finally {
    await Promise.all(Object.values(folders).map((folder) => rm(folder, { recursive: true, force: true })))
  }
}

async function checkClean(folder: string): Promise<void> {
  const errors = await check(folder, 'TypeScript 7', 'bundler')
  if (errors.length > 0) throw new Error(`tsc: ${errors.join(', ')}`)
}
