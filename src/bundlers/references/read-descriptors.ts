import * as v from 'valibot'
import { ContentSpaceError, type ErrorFacts } from '../../errors.js'
import { fileBase } from '../../files/file-name.js'
import { prefixOf, type FileDescriptor, type ValueDescriptor } from '../../files/plan.js'
import { writeRecipe, type RasterRecipe, type SvgPolicy, type SvgRecipe } from '../../files/recipe.js'
import { frameworks } from '../../request/frameworks.js'
import {
  fits,
  parameterOf,
  recipeKeys,
  svgKeys,
  type Key,
  type RecipeKey,
  type SvgKey,
} from '../../request/parameters.js'
import { cutsByType, extensionOf } from '../../space/asset-type.js'
import { isFontExtension } from '../../space/font-record.js'
import type { Origin } from '../../space/space.js'
import { canonicalUuid } from '../../space/uuid.js'
import type { MarkTarget } from './descriptors.js'

/** A schema for each key of a type. Omitting a key is a compile error. */
type Entries<T> = { [K in keyof Required<T>]: v.GenericSchema }

const anyText = v.string()
const nonEmpty = v.pipe(v.string(), v.nonEmpty())
const pixels = v.pipe(v.number(), v.safeInteger(), v.minValue(1))

const svgRecipe = v.objectWithRest(
  {
    kind: v.literal('svg'),
    policy: v.picklist(['sanitize', 'strict', 'trust']),
    prefix: v.exactOptional(nonEmpty),
    component: v.exactOptional(v.literal(true)),
    icon: v.exactOptional(v.literal(true)),
    preview: v.exactOptional(pixels),
    version: v.number(),
  } satisfies Entries<Omit<SvgRecipe, SvgKey> & { version: number }>,
  v.unknown(),
)

const rasterRecipe = v.objectWithRest(
  {
    kind: v.literal('raster'),
    format: v.picklist(['avif', 'webp', 'png', 'jpg', 'gif', 'tiff', 'ico']),
    width: v.exactOptional(pixels),
    height: v.exactOptional(pixels),
    fit: v.picklist(['scale', ...fits]),
    preview: v.exactOptional(v.picklist(['blur', 'color'])),
    padding: v.exactOptional(v.pipe(v.number(), v.minValue(0), v.maxValue(40))),
    opaque: v.exactOptional(v.literal(true)),
    version: v.number(),
  } satisfies Entries<Omit<RasterRecipe, RecipeKey> & { version: number }>,
  v.unknown(),
)

const textRecipe = v.variant('kind', [
  v.strictObject({
    kind: v.literal('icon'),
    policy: v.picklist(['sanitize', 'strict', 'trust']),
    drawings: v.array(v.pipe(v.string(), v.check(isDrawing))),
    background: v.exactOptional(v.string()),
    padding: v.exactOptional(v.pipe(v.number(), v.minValue(0), v.maxValue(40))),
    version: v.number(),
  }),
  v.strictObject({ kind: v.literal('manifest'), manifest: v.string(), version: v.number() }),
])

const recipe = v.pipe(
  v.string(),
  v.parseJson(),
  v.union([
    v.custom<SvgRecipe & { version: number }>((value) => isRecipe(value, svgRecipe, svgKeys)),
    v.custom<RasterRecipe & { version: number }>((value) => isRecipe(value, rasterRecipe, recipeKeys)),
    textRecipe,
  ]),
)

/**
 * Checks whether a value matches a schema. Each key that isn't in the schema must be a query key, with a value that
 * parsing a query could return.
 */
function isRecipe(value: unknown, schema: typeof svgRecipe | typeof rasterRecipe, keys: readonly Key[]): boolean {
  if (!v.is(schema, value)) return false
  return Object.entries(value).every(([name, given]) => {
    if (Object.hasOwn(schema.entries, name)) return true
    const key = keys.find((known) => known === name)
    return key !== undefined && parameterOf(key).read([String(given)]) === given
  })
}

const canonical = v.pipe(
  v.string(),
  v.check((uuid) => canonicalUuid(uuid) === uuid),
)

const descriptor: v.GenericSchema<unknown, FileDescriptor> = v.pipe(
  v.strictObject({
    asset: canonical,
    label: anyText,
    // `fileBase` returns a valid name unchanged.
    name: v.pipe(
      v.string(),
      v.maxLength(80),
      v.check((name) => fileBase({ uuid: '', name, type: '' }) === name),
    ),
    ext: v.pipe(
      v.string(),
      v.check((ext) => extensionOf(ext) === ext),
    ),
    type: anyText,
    hash: v.exactOptional(anyText),
    updated: v.exactOptional(anyText),
    size: v.exactOptional(v.pipe(v.number(), v.finite(), v.minValue(0))),
    cut: v.exactOptional(nonEmpty),
    recipe: v.exactOptional(anyText),
    set: v.exactOptional(anyText),
    from: v.exactOptional(v.strictObject({ kit: canonical, id: v.exactOptional(nonEmpty) } satisfies Entries<Origin>)),
  } satisfies Entries<FileDescriptor>),
  v.check(isPlanned),
)

const markTarget = v.union([
  v.strictObject({
    file: v.pipe(
      descriptor,
      v.check((file) => !isPreview(recipeOf(file))),
    ),
  }),
  v.strictObject({
    value: v.pipe(
      v.variant('as', [
        v.strictObject({ file: descriptor, as: v.picklist(['raw', 'inline', 'placeholder']) }),
        v.strictObject({ file: descriptor, as: v.literal('component'), framework: v.picklist(frameworks) }),
      ]),
      v.check(isPlannedValue),
    ),
  }),
])

/** Returns the recipe of a descriptor; undefined if it is missing or invalid. */
function recipeOf({ recipe: written }: FileDescriptor): v.InferOutput<typeof recipe> | undefined {
  const result = v.safeParse(recipe, written)
  return result.success ? result.output : undefined
}

function isPreview(given: ReturnType<typeof recipeOf>): boolean {
  return given?.kind === 'raster' && given.preview !== undefined
}

/**
 * Checks whether `planAsset` can make this descriptor. The extension differs from the type only if a recipe for
 * pictures changes it.
 */
function isPlanned(file: FileDescriptor): boolean {
  const { asset, ext, cut, type, recipe: written } = file
  if (written === undefined) return ext === extensionOf(cut ?? type) || (cut === undefined && isFontFile(ext, type))
  const given = recipeOf(file)
  if (given === undefined) return false
  const { version: _, ...read } = given
  if (writeRecipe(read) !== written) return false
  if (read.kind === 'icon') return ext === 'svg'
  if (read.kind === 'manifest') return ext === 'webmanifest'
  if (read.kind === 'raster') return ext === read.format
  const { prefix, ...withoutPrefix } = read
  const ownPrefix = prefix === undefined || prefix === prefixOf(asset, writeRecipe(withoutPrefix))
  return ext === 'svg' && extensionOf(cut ?? type) === 'svg' && ownPrefix
}

/** Checks whether JSON is the descriptor of an SVG that can be embedded in another SVG. */
function isDrawing(json: string): boolean {
  const result = v.safeParse(v.pipe(v.string(), v.parseJson(), descriptor), json)
  return result.success && isPlannedValue({ file: result.output, as: 'component', framework: 'svelte' })
}

/**
 * Checks whether an extension and a type can belong to a font. The extension must name the format of a font, but the
 * type doesn't have to.
 */
function isFontFile(ext: string, type: string): boolean {
  return isFontExtension(ext) && !cutsByType.has(type)
}

/**
 * Checks whether `planAsset` can make this value. An inline SVG must have a prefix for its ids, because it shares a
 * document with others.
 */
function isPlannedValue({ file, as }: ValueDescriptor): boolean {
  const given = recipeOf(file)
  if (as === 'placeholder') return isPreview(given)
  const drawing = given?.kind === 'svg' ? given : undefined
  if (as === 'component') return drawing?.prefix !== undefined && drawing.component === true
  if (file.ext !== 'svg') return true
  return drawing?.component === undefined && (drawing?.prefix !== undefined) === (as === 'raw')
}

/**
 * Reads a descriptor from generated code or from a bundler's cache. An accepted descriptor has a name and an extension
 * that are safe in paths, the uuid of an asset, and a recipe that this version could write.
 * @param text from `writeDescriptor`, in either base64 alphabet
 * @throws ContentSpaceError `integrity` for any descriptor that `planAsset` can't make
 */
export function readDescriptor(text: string): FileDescriptor {
  return parseDescriptor(Buffer.from(text, 'base64'))
}

/**
 * Reads a descriptor whose base64 the bundler has already decoded.
 * @throws ContentSpaceError like `readDescriptor`
 */
export function parseDescriptor(json: Buffer): FileDescriptor {
  const text = json.toString()
  const file = accepted.get(text) ?? parseAs(descriptor, text)
  accepted.set(text, file)
  return file
}

/** Accepted descriptors by text. We cache them because bundlers in watch mode request every file in every build. */
const accepted = new Map<string, FileDescriptor>()

/**
 * Reads the target of a mark from a bundler's cache.
 * @throws ContentSpaceError like `readDescriptor`
 */
export function readMarkTarget(json: string): MarkTarget {
  return parseAs(markTarget, json)
}

function parseAs<T>(schema: v.GenericSchema<unknown, T>, json: string): T {
  const result = v.safeParse(v.pipe(v.string(), v.parseJson(), schema), json)
  if (result.success) return result.output
  throw invalidReference()
}

export function invalidReference(facts: ErrorFacts = {}): ContentSpaceError {
  const summary = 'A reference to a content file is invalid.'
  return new ContentSpaceError('integrity', summary, { ...facts, hint: REMOVE_CACHE })
}

/**
 * Checks that an SVG's descriptor has the policy of the option `svg`. A reference that was written under another
 * policy, or not by this package, must not bypass the sanitizer.
 * @throws ContentSpaceError `integrity`
 */
export function checkPolicy(file: FileDescriptor, svg: SvgPolicy): void {
  const given = recipeOf(file)
  const policy = given && 'policy' in given ? given.policy : 'trust'
  if (file.ext !== 'svg' || policy === svg) return
  const summary = `The build refers to ${file.label} with svg: '${policy}', but option svg is '${svg}'.`
  throw new ContentSpaceError('integrity', summary, { asset: file.asset, hint: REMOVE_CACHE })
}

const REMOVE_CACHE = 'If the bundler has a cache on disk, remove it and build again.'
