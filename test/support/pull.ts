import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { PullOptions } from '../../src/commands/pull/options.js'
import type { PullReport } from '../../src/commands/pull/run.js'
import { createImporter } from '../../src/importer.js'
import type { Options } from '../../src/config/options.js'
import { svg, type Files } from './space.js'

export const kit = '3BD9A8C0-1111-4222-8333-444455556666'
const asset = (number: number): string => `237C41F2-AAAA-4BBB-8CCC-00000000000${number}`
const date = (day: number): string => `2024-01-0${day} 00:00:00.000000+0000`

/**
 * A kit with two versions and a draft. It has two sections, headings, an asset in two items, and data without a file.
 */
export const upstream: Files = {
  'space.json': { space_id: 7 },
  'brand/kit.json': kitJson(1),
  ...version('brand/versions/1', 'one'),
  ...version('brand/versions/2', 'two', 'two'),
  ...version('brand', 'draft', 'two'),
}

/** @param use the version in use */
export function kitJson(use: number): object {
  return {
    uuid: kit,
    name: 'Acme Brand',
    use_version: use,
    date_updated: date(use + 1),
    versions: [1, 2].map((number) => ({
      version: number,
      version_identifier: `${number}.0`,
      folder: `versions/${number}`,
      date_updated: date(number),
    })),
  }
}

function version(folder: string, logo: string, rest = 'one'): Files {
  const logos = `${folder}/01 Logos`
  return {
    [`${logos}/section.json`]: { items: ['acme-logo.svg', { heading: 'Small marks' }, 'badge.svg'] },
    [`${logos}/acme-logo.svg`]: svg(`logo ${logo}`, 120, 40),
    [`${logos}/acme-logo.json`]: { uuid: asset(1), keywords: ['Main', 'logo'], legacy_id: 12 },
    [`${logos}/badge.svg`]: svg(`badge ${rest}`),
    [`${logos}/badge.json`]: { uuid: asset(2) },
    ...(rest === 'one'
      ? { [`${logos}/old-mark.svg`]: svg('old'), [`${logos}/old-mark.json`]: { uuid: asset(3) } }
      : {}),
    [`${folder}/02 More/section.json`]: { items: ['../01 Logos/acme-logo.svg', 'red.json'] },
    [`${folder}/02 More/red.json`]: { uuid: asset(4), type: 'Color', meta: { value: '#FF0000' } },
  }
}

/** Pulls with a new importer, as a separate process would. */
export async function pullOnce(
  root: string,
  options: Options,
  wanted: Omit<PullOptions, 'kits'>,
  kits: string | string[] = 'brand',
): Promise<PullReport> {
  const given = { kits: { brand: kit }, cacheDir: 'cache', rateLimit: false, ...options } as const
  const importer = await createImporter(given, { root, mode: 'test', env: {} })
  try {
    return await importer.pull({ kits, ...wanted })
  } finally {
    await importer.close()
  }
}

/** Returns the sorted paths of all files in a folder, without following links. */
export async function pathsIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => [])
  return entries
    .flatMap((entry) => (entry.isDirectory() ? [] : [join(entry.parentPath, entry.name).slice(folder.length + 1)]))
    .toSorted()
}

/** Returns the contents, inodes, and times of files, which reveal any write. */
export async function fingerprint(folder: string): Promise<Record<string, string>> {
  const paths = ['', ...(await readdir(folder, { recursive: true }))].toSorted()
  const prints = paths.map(async (path): Promise<[string, string]> => {
    const { ino, mtimeMs } = await stat(join(folder, path))
    return [path, `${ino} ${mtimeMs}`]
  })
  return Object.fromEntries(await Promise.all(prints))
}

/** Returns the texts of all files in a folder. */
export async function contents(folder: string): Promise<Record<string, string>> {
  const paths = await pathsIn(folder)
  return Object.fromEntries(
    await Promise.all(paths.map(async (path) => [path, await readFile(join(folder, path), 'utf8')] as const)),
  )
}
