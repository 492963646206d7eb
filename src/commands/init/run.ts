import { existsSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { readEnvironment } from '../../config/environment.js'
import { readManifest } from '../../config/manifest.js'
import { defaultTypes } from '../../config/resolve.js'
import { ancestors, findProject, foldersOf, requireOwners } from '../../config/project.js'
import { readRegularFile } from '../../disk/read-file.js'
import { replaceFile } from '../../disk/replace-file.js'
import { ContentSpaceError, ignoreCodes, type ErrorCode } from '../../errors.js'
import { readKit, readKits, type CallOptions } from '../shared/kits.js'
import { hiddenFromFolder, visiblePlace } from '../shared/visible-types.js'
import type { Engine } from '../../engine/engine.js'
import { exportName } from '../../components/collection.js'
import { slugOf } from '../../kit/identifiers.js'
import { assetsOf } from '../../space/item-kinds.js'
import { decodeOrKeep } from '../../space/http/credentials.js'
import { isAddress } from '../../space/is-address.js'
import type { Terminal } from '../../terminal/terminal.js'
import { toolOf, unformatted, type Bundler, type Tool } from './bundlers.js'
import { writeConfig, writeFirstTypes } from './config-file.js'
import { writeEnvironment } from './environment-file.js'
import { addLines, ignoreFile } from './ignored-file.js'
import { writeScripts, type Script } from './script.js'
import { detectProject, type Project } from './detect.js'
import { changedLines, editConfig, type PluginEdit } from './edit-config.js'
import {
  cloneScripts,
  importText,
  newConfigText,
  pluginEdit,
  pluginText,
  pullCommand,
  typesCommands,
  type Access,
  type Sample,
  type SampleAsset,
} from './templates.js'

export interface InitOptions {
  /** Absolute path of the working directory. */
  cwd: string
  env: Terminal['env']
  /** An address, with or without credentials, or the path of a folder. */
  space?: string
  spaceId?: string
  token?: string
  /** The path of a configuration file. Default: `init` searches for it. */
  config?: string
  bundler?: Bundler
  /** Alias, slug or uuid. Default: the first kit of the space. */
  kit?: string
  /** Opens an engine for the space. */
  open: () => Promise<Engine>
  /** Writes the space itself, after the user has confirmed all changes. */
  begin?: () => Promise<void>
  /** Returns whether to change the bundler's configuration as shown by these lines with `-` and `+`. Default: false. */
  confirm?: (file: string, lines: readonly string[]) => Promise<boolean>
  /** Stops reading the space. `init` then doesn't write anything. */
  signal?: AbortSignal
}

/** Errors about access to the space. After such an error, `init` sets up the project with placeholders. */
const accessErrors: readonly ErrorCode[] = [
  'unreachable',
  'unauthorized',
  'permissionDenied',
  'rateLimited',
  'serverError',
  'unknown',
  'invalidResponse',
  'truncated',
  'badRedirect',
  'offline',
  'objectNotFound',
  'invalidSpace',
  'invalidOption',
]

/** Returns whether the space is missing on the command line, in the environment and in the configuration. */
export function needsSpace({
  cwd,
  env,
  space,
  config,
}: Pick<InitOptions, 'cwd' | 'env' | 'space' | 'config'>): boolean {
  if (space !== undefined) return false
  const { root, configFile } = findProject(cwd, config, env)
  return configFile === undefined && readEnvironment([root], 'production', env).url === undefined
}

export type InitReport = Awaited<ReturnType<typeof init>>

/**
 * Sets up a project. Writes a configuration file, the variables of a service to `.env.local`, and declarations for the
 * editor. Adds the script that writes types in a fresh clone to `package.json`, `.env.local` to `.gitignore`, generated
 * files to `.prettierignore`, and, if confirmed, the plugin to the bundler's configuration. Doesn't change anything
 * else in existing files: the report lists how they differ from the given values, and what to add. Writes the token
 * only to `.env.local`.
 * @throws ContentSpaceError `kitNotFound` for an unknown `kit`, `invalidOption` for an invalid address, `fileSystem`
 */
export async function init(request: InitOptions) {
  const place = findProject(request.cwd, undefined, request.env)
  requireOwners(place)
  const { root } = place
  // In a workspace with the configuration at its root, each package has its own bundler.
  const folder = ancestors(request.cwd).find((path) => path === root || existsSync(join(path, 'package.json'))) ?? root
  const project = await detectProject(folder, request.bundler)
  const access = accessOf(request, root)
  // Ask before writing anything, so that an interruption leaves nothing behind.
  const { bundler } = project
  const bundlerConfig = project.bundlerConfig ?? missingConfig(project)
  const edit = bundler && pluginEdit(bundler, project)
  const planned = edit && (await planPlugin(folder, bundlerConfig, edit, request.confirm))
  await request.begin?.()
  const warnings: string[] = []
  const sample = await findSample(request, warnings)
  const moved = project.typescript && !project.pulls ? await visiblePlace(root) : undefined
  const config = await writeConfig(place, { project, access, sample, types: moved })
  const typesName = moved ?? defaultTypes(root)
  const needsEnvironment = access.folder === undefined && (access.url !== undefined || sample === undefined)
  const environment = await writeEnvironment(root, access, request.env, needsEnvironment)
  const types = await writeFirstTypes(root, typesName, project)
  if (types.length > 0 || folder !== root) {
    const declarations = { root, types: join(root, typesName) }
    const source = folder === root ? dirname(declarations.types) : join(folder, 'src')
    warnings.push(...(await hiddenFromFolder(source, declarations)))
  }
  const ignoring = await ignoreFile(root, environment.file)
  warnings.push(...ignoring.warnings)
  const textToAdd = project.bundlerConfig === bundlerConfig ? pluginText : newConfigText
  if (planned?.text !== undefined) await replaceFile(planned.path, planned.text)
  const kit = sample?.kit.alias ?? request.kit ?? 'brand'
  const scripts = cloneScripts(project, kit)
  const scriptsWritten = scripts.length > 0 && (await writeScripts(folder, scripts))
  const others = environment.different.map(
    (name) => `${environment.file} has another ${name}. Change it there if the given value is right.`,
  )
  const different = [...config.different, ...others]
  const differs = different.length > 0
  const lacksPlugin = planned === undefined
  const lacksScript = scripts.length > 0 && !scriptsWritten
  const facts = { environment, kit, sample, types: typesName, lacksScript, lacksPlugin, differs }
  return {
    bundler,
    bundlerConfig,
    /** Whether the plugin was added to this file. */
    edited: planned?.text !== undefined,
    /** Names of new files. */
    written: [config.written, environment.outcome === 'written' ? environment.file : [], types].flat(),
    /** The file that was added to `.gitignore` because it contains the token. */
    ignored: ignoring.added ? environment.file : undefined,
    unformatted: await ignoreUnformatted(folder, project),
    /** Names of existing files that weren't changed. */
    kept: [config.kept, environment.outcome === 'kept' ? environment.file : []].flat(),
    /** The differences between these files and the given values, and the next step. */
    different,
    /** The lines to add to the bundler's configuration. Absent if it already has them. */
    plugin: edit && planned === undefined ? textToAdd(edit).trimEnd() : undefined,
    /** The lines to add to the configurations of tools that run beside the bundler. */
    companions: project.companions,
    /** The scripts for `package.json` that write types before they are needed. Empty if existing scripts already do. */
    scripts: scripts satisfies Script[],
    /** Whether `package.json` now has the scripts. False if the project doesn't have a `package.json`. */
    scriptsWritten,
    import: importText(kit, sample?.asset, project),
    /** Names of variables that weren't written because the environment has their values. */
    fromEnvironment: environment.fromEnvironment,
    /** Whether `sync` can write types, because the space could be read and the package is installed. */
    canSync: sample !== undefined && project.installed && project.typescript && !project.pulls,
    warnings,
    next: nextSteps({ ...project, bundlerConfig }, facts),
  }
}

/**
 * Adds generated files to `.prettierignore`. Prettier reads this file only in the folder where it runs: a package, or
 * the root of its workspace.
 */
async function ignoreUnformatted(folder: string, { pulls }: Project): Promise<string[]> {
  const added = new Set<string>()
  for (const place of foldersOf(folder)) {
    const file = join(place, '.prettierignore')
    if (!existsSync(file) && !readManifest(place)?.packages.has('prettier')) continue
    for (const line of await addLines(file, unformatted[pulls ? 'pull' : 'plugin'])) added.add(line)
  }
  return [...added]
}

/** Returns the name of the configuration to create, for a bundler whose optional configuration is missing. */
function missingConfig({ bundler, typescript }: Project): string | undefined {
  const { isOptional, config }: Partial<Tool> = bundler ? toolOf(bundler) : {}
  return isOptional ? `${config}.${typescript ? 'ts' : 'mjs'}` : undefined
}

/**
 * Plans the addition of the plugin to the bundler's configuration, if the user confirms it.
 * @returns the file, including its new text unless it already has the plugin; undefined if the plugin isn't added
 */
async function planPlugin(
  root: string,
  file: string | undefined,
  edit: PluginEdit,
  confirm: InitOptions['confirm'],
): Promise<{ path: string; text?: string } | undefined> {
  if (file === undefined) return undefined
  const path = join(root, file)
  const given = existsSync(path) ? (await readRegularFile(path)).toString() : ''
  const end = given.includes('\r\n') ? '\r\n' : '\n'
  const text = given.replaceAll('\r\n', '\n')
  if (text.includes('unplugin-content-space')) return { path }
  const edited = text === '' ? newConfigText(edit) : editConfig(text, file, edit)
  if (edited === undefined || !(await confirm?.(file, changedLines(text, edited)))) return undefined
  return { path, text: edited.replaceAll('\n', end) }
}

/** Separates credentials from the address. */
function accessOf({ cwd, space, spaceId, token }: InitOptions, root: string): Access {
  if (space === undefined) return { spaceId, token }
  if (!isAddress(space)) {
    const path = relative(root, resolve(cwd, space)).replaceAll('\\', '/')
    return { folder: path.startsWith('.') ? path : `./${path}` }
  }
  if (!URL.canParse(space) || !/^https?:$/.test(new URL(space).protocol))
    throw new ContentSpaceError('invalidOption', 'The address of the space is not a valid http(s) URL.', {
      hint: 'Pass it as --space https://<host>, or as --space <folder>.',
    })
  const { origin, pathname, username, password } = new URL(space)
  return {
    url: origin + pathname.replace(/\/+$/, ''),
    spaceId: spaceId ?? (decodeOrKeep(username) || undefined),
    token: token ?? (decodeOrKeep(password) || undefined),
  }
}

/** Finds a kit and an asset for the first import. Returns undefined if the space is empty or unreadable. */
async function findSample(request: InitOptions, warnings: string[]): Promise<Sample | undefined> {
  const { kit, open, signal } = request
  if (needsSpace(request)) {
    warnings.push('No space was given, so the names are placeholders.')
    return undefined
  }
  let engine: Engine | undefined
  try {
    engine = await open()
    const id = kit ?? (await readKits(engine, { signal }))[0]?.uuid
    return id === undefined ? undefined : await sampleOf(engine, id, { signal })
  } catch (error) {
    if (!(error instanceof ContentSpaceError) || !accessErrors.includes(error.code)) throw error
    // Don't use placeholders for an existing folder that can't be read, because imports from it would still fail later.
    if (error.code === 'invalidSpace' && request.space !== undefined && existsSync(resolve(request.cwd, request.space)))
      throw error
    warnings.push(`The space could not be read, so the names are placeholders: ${error.message}`)
    return undefined
  } finally {
    await engine?.close()
  }
}

async function sampleOf(engine: Engine, id: string, call: CallOptions): Promise<Sample> {
  const { uuid, name, sections } = await readKit(engine, id, call)
  let configured: string | undefined
  for (const [alias, reference] of engine.options.kits) {
    const found = await engine.catalog.find(reference.kit).catch(ignoreCodes('kitNotFound', 'ambiguousName'))
    if (found !== uuid) continue
    configured = alias
    break
  }
  const assets = sections.flatMap(({ items }) => items.flatMap(assetsOf))
  const files = assets.filter(({ size }) => size !== 0)
  const asset = files.find(({ width }) => width !== undefined) ?? files[0]
  const alias = configured ?? (slugOf(name) || 'brand')
  return { kit: { alias, uuid, name }, asset: asset && sampleAsset(asset) }
}

const shown = ['SVG', 'PNG', 'JPG', 'GIF', 'WEBP', 'AVIF']

function sampleAsset({ export: name, name: title, type }: Record<'export' | 'name' | 'type', string>): SampleAsset {
  const component = shown.includes(type) ? exportName(name, { as: 'react' }) : undefined
  return { export: name, name: title, component, isDrawing: type === 'SVG' }
}

interface NextFacts {
  environment: Awaited<ReturnType<typeof writeEnvironment>>
  kit: string
  sample: Sample | undefined
  /** The path of the declarations. */
  types: string
  lacksScript: boolean
  lacksPlugin: boolean
  differs: boolean
}

function nextSteps(project: Project, facts: NextFacts): string[] {
  const { environment, kit, sample, types, lacksScript, lacksPlugin, differs } = facts
  const { bundler, bundlerConfig, installed, installCommand, companions, runner, typescript, pulls, pullNote, runs } =
    project
  const { file, unset } = environment
  const { note }: Partial<Tool> = bundler ? toolOf(bundler) : {}
  const commands = typesCommands(bundler)
    .map((command) => `${runner} ${command}`)
    .join(' and ')
  return [
    ...(installed ? [] : [`Install the package: ${installCommand} unplugin-content-space`]),
    ...(differs ? ['Resolve the differences above.'] : []),
    ...(unset.length > 0 ? [`Set ${unset.join(', ')} in ${file}.`] : []),
    ...(sample ? [] : [`List the kits of the space: ${runner} content-space ls`]),
    ...(bundler && lacksPlugin ? [`Add the plugin to ${bundlerConfig ?? `the configuration of ${bundler}`}.`] : []),
    ...(bundler || pulls || runs
      ? []
      : [
          'No bundler was found. Run init in the package that contains it, name it with --bundler, or write plain ' +
            `files with ${runner} ${pullCommand(kit)}.`,
        ]),
    ...[note, pullNote].filter((one) => one !== undefined),
    ...new Set(companions.map(({ config }) => `Add the line to ${config}.`)),
    ...(lacksScript ? ['Add the script to package.json.'] : []),
    pulls
      ? 'This framework does not support plugins. Write the files of the kit, now and before each build: ' +
        `${runner} ${pullCommand(kit)}`
      : `Add the import to the source, then run: ${runner} content-space sync`,
    typescript && !pulls
      ? `Commit content-space.lock.json and ${types}. Without the types, a clone needs: ${commands}`
      : 'Commit content-space.lock.json.',
  ]
}
