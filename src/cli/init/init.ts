import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join, relative, resolve } from 'node:path'
import glob from 'fast-glob'
import { readEnvironment } from '../../config/file.js'
import { ContentSpaceError, type ErrorCode } from '../../errors.js'
import type { BuildImporter } from '../../importer.js'
import { slugOf } from '../../kit/identifiers.js'
import { decode } from '../../space/http/credentials.js'
import { detectProject, isIgnored, type Bundler, type Project } from './detect.js'
import { configText, environmentText, importText, pluginText, type Access, type Sample } from './templates.js'

/** What is to be set up. */
export interface InitRequest {
  /** Absolute. */
  root: string
  /** As the user gives it: an address, with credentials in it or beside it, or the path of a folder. */
  space?: string
  spaceId?: string
  token?: string
  bundler?: Bundler
  /** Alias, slug or uuid; default: the first kit of the space. */
  kit?: string
  /** Opens the space of the project. */
  open: () => Promise<BuildImporter>
}

export interface InitReport {
  bundler: Bundler | undefined
  /** The bundler's configuration file, where there is one. It is never edited. */
  bundlerConfig: string | undefined
  /** Files that are new, and files that were there and are left as they are. */
  written: string[]
  kept: string[]
  /** What to add to the bundler's configuration, and to the source. */
  plugin: string | undefined
  import: string
  warnings: string[]
  /** What to do now, in this order. */
  next: string[]
}

/** What says that a space is not within reach, rather than that the command is wrong. */
const outOfReach: readonly ErrorCode[] = [
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

/**
 * Writes a configuration and, for a service, a `.env`; says what is to be added to files that are there. No file is
 * ever overwritten, and the token goes nowhere but into `.env`.
 * @throws ContentSpaceError `kitNotFound` for `order.kit`, `invalidOption` for an address that is none, `fileSystem`
 */
export async function init(order: InitRequest): Promise<InitReport> {
  const { root } = order
  const project = await detectProject(root, order.bundler)
  const access = accessOf(order)
  const warnings: string[] = []
  const sample = await findSample(order, warnings)
  const [existing] = await glob('content-space.config.{ts,js,mjs,json}', { cwd: root })
  const name = existing ?? `content-space.config.${project.typescript ? 'ts' : 'js'}`
  const texts = new Map([[name, configText(access, sample)]])
  const needsEnvironment = access.folder === undefined && (access.url !== undefined || sample === undefined)
  if (needsEnvironment) texts.set('.env', environmentText(access))

  const [written, kept]: [string[], string[]] = [[], []]
  for (const [file, text] of texts) {
    const isNew = file !== existing && (await writeNew(join(root, file), text))
    ;(isNew ? written : kept).push(file)
  }
  if (existsSync(join(root, '.env')) && !(await isIgnored(root, '.env'))) {
    warnings.push('.env is not in .gitignore: add it, so that the token is never committed.')
  }
  const { bundler, bundlerConfig } = project
  const plugin = bundler && pluginText(project)
  const unset = needsEnvironment ? unsetVariables(root) : []
  return {
    bundler,
    bundlerConfig,
    written,
    kept,
    plugin,
    import: importText(sample),
    warnings,
    next: nextSteps(project, unset, sample !== undefined),
  }
}

/** Credentials in an address are taken out of it. */
function accessOf({ root, space, spaceId, token }: InitRequest): Access {
  const given = { ...(spaceId === undefined ? {} : { spaceId }), ...(token === undefined ? {} : { token }) }
  if (space === undefined) return given
  if (!/^https?:\/\//i.test(space)) return { folder: relativeFolder(root, space) }
  if (!URL.canParse(space))
    throw new ContentSpaceError('invalidOption', 'The address of the space is no http(s) address.')
  const url = new URL(space)
  const own = {
    ...(url.username === '' ? {} : { spaceId: decode(url.username) }),
    ...(url.password === '' ? {} : { token: decode(url.password) }),
  }
  return { url: url.origin + url.pathname.replace(/\/+$/, ''), ...own, ...given }
}

function relativeFolder(root: string, folder: string): string {
  const path = relative(root, resolve(root, folder)).replaceAll('\\', '/')
  return path.startsWith('.') ? path : `./${path}`
}

/** A real kit and asset, where the space can be reached. */
async function findSample({ kit: wanted, open }: InitRequest, warnings: string[]): Promise<Sample | undefined> {
  let importer: BuildImporter | undefined
  try {
    importer = await open()
    const id = wanted ?? (await importer.kits())[0]?.uuid
    return id === undefined ? undefined : await sampleOf(importer, id)
  } catch (error) {
    if (!(error instanceof ContentSpaceError) || !outOfReach.includes(error.code)) throw error
    warnings.push(`The space was not looked into: ${error.message}`)
    return undefined
  } finally {
    await importer?.close()
  }
}

async function sampleOf(importer: BuildImporter, id: string): Promise<Sample> {
  const { uuid, name, sections } = await importer.kit(id)
  const known = [...importer.options.kits].find(([, { kit }]) => kit === uuid)?.[0]
  const assets = sections.flatMap(({ items }) => items.flatMap((item) => ('asset' in item ? [item.asset] : [])))
  const files = assets.filter(({ size }) => size !== 0)
  const asset = files.find(({ width }) => width !== undefined) ?? files[0]
  const alias = known ?? (slugOf(name) || 'brand')
  return { kit: { alias, uuid, name }, ...(asset ? { asset: asset.export } : {}) }
}

/** @returns false when it is there already */
async function writeNew(path: string, text: string): Promise<boolean> {
  try {
    await writeFile(path, text, { flag: 'wx', mode: path.endsWith('.env') ? 0o600 : 0o666 })
    return true
  } catch (cause) {
    if (cause instanceof Error && 'code' in cause && cause.code === 'EEXIST') return false
    throw new ContentSpaceError('fileSystem', `${path} cannot be written.`, { cause })
  }
}

function unsetVariables(root: string): string[] {
  const { url, id, token } = readEnvironment(root, 'production', process.env)
  const values = { CONTENT_SPACE_URL: url, CONTENT_SPACE_ID: id, CONTENT_SPACE_TOKEN: token }
  return Object.entries(values).flatMap(([name, value]) => (value === undefined ? [name] : []))
}

function nextSteps(
  { bundler, bundlerConfig, installed, manager }: Project,
  unset: readonly string[],
  sampled: boolean,
): string[] {
  return [
    ...(installed ? [] : [`Install it: ${manager} unplugin-content-space`]),
    ...(unset.length > 0 ? [`Set ${unset.join(', ')} in .env.`] : []),
    ...(sampled ? [] : ['Look for a kit: content-space ls']),
    bundler
      ? `Add the plugin to ${bundlerConfig ?? `the configuration of ${bundler}`}.`
      : 'No bundler was found: name one with --bundler, or write plain files with content-space pull.',
    'Add the import to your source, then run: content-space sync',
  ]
}
