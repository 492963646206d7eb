import { resolve } from 'node:path'
import * as v from 'valibot'
import { abortSignal, checkEach, text, type Checks } from '../../config/validate.js'
import { writeFolder, type FolderChanges } from '../../disk/write-folder.js'
import type { Engine } from '../../engine/engine.js'
import { linkElement } from '../../modules/app-icons.js'
import { appIconKeys, formatAppIcons, type AppIconsQuery } from '../../request/app-icons.js'
import { interruptible } from '../shared/interrupted.js'

/** Options of `Importer.appIcons`. They include the query keys of an import of application icons. */
export interface AppIconsOptions extends AppIconsQuery {
  /** The SVG, as in `content-space:app-icons/<kit>/<asset>`: `brand/app-icon`. */
  asset: string
  /** The folder to write, relative to the root of the project. */
  out: string
  signal?: AbortSignal | undefined
}

/** The result of `Importer.appIcons`. */
export interface AppIconsReport extends FolderChanges {
  /** Uuid. */
  kit: string
  version: number
  /** Name of the asset. */
  name: string
  /** Absolute path of the folder. */
  out: string
  /** The `<link>` elements for pages of a site with the files at its root, one per line. */
  html: string
  /** Whether the lockfile has changed. */
  locked: boolean
  warnings: string[]
}

const ofQuery = [v.union([v.string(), v.number()]), 'a value of the query'] as const
const checks = {
  asset: [text, 'a kit and an asset'],
  out: [text, 'the path of a folder'],
  signal: abortSignal,
  ...Object.fromEntries(Object.keys(appIconKeys).map((key) => [key, ofQuery])),
} satisfies Checks

/** The web app manifest. It also lists the files that we wrote, so that a later run recognizes them. */
const manifestName = 'manifest.webmanifest'

/** @internal */
export async function appIcons(engine: Engine, request: AppIconsOptions): Promise<AppIconsReport> {
  checkEach(request, checks, 'appIcons', ['asset', 'out'])
  const { asset, out, signal = new AbortController().signal, ...query } = request
  const { options, files, errors, lock, modules } = engine
  const parsed = engine.parse([`content-space:app-icons/${asset}`, formatAppIcons(query)].filter(Boolean).join('?'))
  if (parsed.kind !== 'app-icons') throw new TypeError(`${asset} is not an asset of a kit.`)
  return interruptible(signal, async () => {
    const { named, value: assets, plan } = await modules.icons(parsed, false)
    await errors.checkFrozen()
    const icons = new Map(plan.icons.map(({ file }) => [`${file.name}.${file.ext}`, file]))
    const manifest = JSON.parse(Buffer.from(await files.bytes(plan.manifest, { signal })).toString())
    const { changes } = await writeFolder(
      {
        out: resolve(options.root, out),
        option: '--out',
        cacheDir: options.cacheDir,
        signal,
        policy: {
          owns: 'unchanged',
          command: 'app-icons',
          manifest: manifestName,
          paths: [...icons.keys()],
          describe: (written) =>
            Buffer.from(
              `${JSON.stringify({ ...manifest, manifestVersion: 1, written: Object.fromEntries(written) }, null, 2)}\n`,
            ),
        },
      },
      async ({ put }) => {
        for (const [path, file] of icons) await files.use(file, (content) => put(path, content), { signal })
      },
    )
    return {
      kit: named.kit.uuid,
      version: named.kit.version,
      name: assets[0]?.name ?? '',
      out: resolve(options.root, out),
      ...changes,
      html: plan.links.map((link) => linkElement(link, `/${link.file.name}.${link.file.ext}`)).join('\n'),
      locked: await lock.save(),
      warnings: engine.stats.summary().warnings,
    }
  })
}
