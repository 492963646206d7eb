import { basename, dirname, join, resolve } from 'node:path'
import { readConfig } from '../../config/file.js'
import type { ProjectPlace } from '../../config/project.js'
import { makeFolder } from '../../disk/make-folder.js'
import { readText, replaceFile, writeNew } from '../../disk/replace-file.js'
import { statsOf } from '../../disk/stats.js'
import { declarationsText } from '../../modules/declarations.js'
import type { Project } from './detect.js'
import { inStyleOf } from './edit-config.js'
import { configText, type Access, type Sample } from './templates.js'

interface WrittenConfig {
  project: Project
  access: Access
  sample: Sample | undefined
  /** The path of the declarations, if it isn't the default. */
  types: string | undefined
}

/**
 * Writes the configuration file. Replaces an existing file only if an earlier `init` wrote it without a space.
 * @returns `different`: how an existing file differs from the given values, and what to do
 */
export async function writeConfig(place: ProjectPlace, { project, access, sample, types }: WrittenConfig) {
  const { root, configFile } = place
  const name =
    configFile === undefined ? `content-space.config.${project.typescript ? 'ts' : 'js'}` : basename(configFile)
  const path = configFile ?? join(root, name)
  const textOf = (to: Access, shown?: Sample): string =>
    inStyleOf(configText(to, shown, { types, isCommonJs: project.isCommonJs.config }), project.styledAs)
  const text = textOf(access, sample)
  const before = await readText(path)
  const isPlaceholder = before === textOf({}) && text !== before
  if (before === undefined || isPlaceholder) {
    await (isPlaceholder ? replaceFile : writeNew)(path, text)
    return { written: [name], kept: [], different: [] }
  }
  return { written: [], kept: [name], different: await differences({ ...place, configFile: path }, access, sample) }
}

async function differences(place: ProjectPlace, access: Access, sample: Sample | undefined): Promise<string[]> {
  const { root, configFile = '' } = place
  const name = basename(configFile)
  const config = await readConfig(place).catch(() => undefined)
  // A configuration can't be loaded before this package is installed.
  if (config === undefined)
    return [`${name} cannot be read yet. Compare it with: ${JSON.stringify(access.folder ?? access.url ?? '')}`]
  const { space, kits = {} } = config
  const { folder, url } = access
  const isOther =
    (folder !== undefined && (space === undefined || resolve(root, space) !== resolve(root, folder))) ||
    (url !== undefined && space !== undefined && space.replace(/\/+$/, '') !== url)
  const given = folder ?? url
  const before = space === undefined ? 'no option space' : `space: '${space}'`
  const { kit } = sample ?? {}
  const isListed =
    kit === undefined || JSON.stringify(kits).toUpperCase().includes(kit.uuid) || Object.hasOwn(kits, kit.alias)
  return [
    ...(isOther ? [`${name} has ${before}. To use the new space, set space: '${given}'.`] : []),
    ...(isListed
      ? []
      : [`${name} has no alias for ${kit.name}. To add an alias: kits: { '${kit.alias}': '${kit.uuid}' }.`]),
  ]
}

/**
 * Writes declarations with wildcards, so that the first import has types before the first `sync`. `sync` then replaces
 * them with exact declarations. Keeps an existing file.
 */
export async function writeFirstTypes(root: string, name: string, { typescript, pulls }: Project): Promise<string[]> {
  if (!typescript || pulls) return []
  const path = join(root, name)
  if (statsOf(path)) return []
  makeFolder(dirname(path))
  await writeNew(path, declarationsText([]))
  return [name]
}
