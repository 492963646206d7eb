import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { createFiles, type Files, type FilesContext } from '../../src/files/files.js'
import { planAsset, type AssetPlan } from '../../src/files/plan.js'
import type { SvgPolicy } from '../../src/files/recipe.js'
import { parseQuery } from '../../src/query.js'
import type { AssetRecord, Space } from '../../src/space/space.js'

/** An asset record with what a test says of it. */
function assetRecord(given: Partial<AssetRecord> = {}): AssetRecord {
  return {
    uuid: 'A0000000-0000-4000-8000-000000000000',
    name: 'Hero Photo',
    type: 'JPG',
    notes: '',
    keywords: [],
    colors: [],
    size: 1000,
    thumbnails: {},
    presets: [],
    meta: {},
    raw: {},
    ...given,
  }
}

/** A plan from a query as users write it. */
export function planned(asset: Partial<AssetRecord>, query: string, svg: SvgPolicy = 'sanitize'): AssetPlan {
  return planAsset(assetRecord(asset), parseQuery(query), svg)
}

export interface TestFiles extends Files {
  warnings: string[]
  /** What was downloaded, by cut. */
  downloads: string[]
  /** What was told of each reading. */
  read: { integrity: string; cached: boolean }[]
}

export const tempFolder = () => mkdtemp(join(tmpdir(), 'content-space-files-'))

const unused = () => Promise.reject(new Error('not asked for in this test'))

/** Files over a space that holds one asset: the original under its own type, and cuts. */
export async function openFiles(content: Record<string, Uint8Array>, given: Partial<FilesContext> & { type?: string } = {}): Promise<TestFiles> {
  const { type = Object.keys(content)[0] ?? '', ...context } = given
  const [warnings, downloads, read]: [string[], string[], TestFiles['read']] = [[], [], []]
  const space: Space = {
    label: 'test',
    key: 'test',
    kits: unused,
    kit: unused,
    outline: unused,
    section: unused,
    async download(_asset, cut = type) {
      downloads.push(cut)
      const bytes = content[cut]
      if (!bytes) throw new Error(`no ${cut}`)
      return bytes
    },
    close: async () => {},
  }
  const files = createFiles({
    space,
    cacheDir: await tempFolder(),
    offline: false,
    strict: false,
    frozen: false,
    warn: (message) => void warnings.push(message),
    locked: () => undefined,
    onFile: (_file, { integrity, cached }) => void read.push({ integrity, cached }),
    ...context,
  })
  onTestFinished(() => files.close())
  return { ...files, warnings, downloads, read }
}
