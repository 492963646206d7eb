import * as v from 'valibot'
import { ContentSpaceError } from '../errors.js'
import { extensionOf, fileBase } from '../files/file-name.js'
import { prefixOf, type FileDescriptor, type ValueDescriptor } from '../files/plan.js'
import { writeRecipe, type RasterRecipe, type Recipe, type SvgPolicy, type SvgRecipe } from '../files/recipe.js'
import { fits, parameters, type Parameter } from '../request/parameters.js'
import { canonicalUuid } from '../space/uuid.js'

/** What stands for bytes in generated code: the address of a file, or a string made of its bytes. */
export type Slot = { file: FileDescriptor } | { value: ValueDescriptor }

/** A schema for each key of a type: a key that is added to the type and not here is an error of the compiler. */
type Entries<T> = { [K in keyof Required<T>]: v.GenericSchema }

const text = v.string()
const some = v.pipe(v.string(), v.nonEmpty())
const pixels = v.pipe(v.number(), v.safeInteger(), v.minValue(1))

function parameter<T>(schema: v.GenericSchema<T>, known: Parameter<T>) {
  return v.exactOptional(
    v.pipe(
      schema,
      v.check((value) => known.read(known.write(value)) === value),
    ),
  )
}

const svgRecipe = v.strictObject({
  kind: v.literal('svg'),
  policy: v.picklist(['sanitize', 'strict', 'trust']),
  prefix: v.exactOptional(some),
  svgo: v.exactOptional(v.literal(true)),
  version: v.number(),
} satisfies Entries<SvgRecipe & { version: number }>)

const rasterRecipe = v.strictObject({
  kind: v.literal('raster'),
  format: v.picklist(['avif', 'webp', 'png', 'jpg', 'gif', 'tiff']),
  width: v.exactOptional(pixels),
  height: v.exactOptional(pixels),
  fit: v.picklist(['scale', ...fits]),
  preview: v.exactOptional(v.picklist(['blur', 'color'])),
  background: parameter(v.string(), parameters.background),
  blur: parameter(v.number(), parameters.blur),
  enlarge: v.exactOptional(v.literal(true)),
  greyscale: v.exactOptional(v.literal(true)),
  position: v.exactOptional(v.custom<NonNullable<RasterRecipe['position']>>(isPosition)),
  quality: parameter(v.number(), parameters.quality),
  rotate: parameter(v.number(), parameters.rotate),
  version: v.number(),
} satisfies Entries<RasterRecipe & { version: number }>)

const recipe = v.pipe(v.string(), v.parseJson(), v.variant('kind', [svgRecipe, rasterRecipe]))

const file: v.GenericSchema<unknown, FileDescriptor> = v.pipe(
  v.strictObject({
    asset: v.pipe(
      v.string(),
      v.check((uuid) => canonicalUuid(uuid) === uuid),
    ),
    label: text,
    // A name that is the file name of itself has the form that file names have.
    name: v.pipe(
      v.string(),
      v.maxLength(80),
      v.check((name) => fileBase({ uuid: '', name, type: '' }) === name),
    ),
    ext: v.pipe(
      v.string(),
      v.check((ext) => extensionOf(ext) === ext),
    ),
    type: text,
    hash: v.exactOptional(text),
    updated: v.exactOptional(text),
    size: v.exactOptional(v.pipe(v.number(), v.finite(), v.minValue(0))),
    cut: v.exactOptional(some),
    recipe: v.exactOptional(text),
  } satisfies Entries<FileDescriptor>),
  v.check(isPlanned),
)

const slot = v.union([
  v.strictObject({
    file: v.pipe(
      file,
      v.check((described) => !isPreview(recipeOf(described))),
    ),
  }),
  v.strictObject({
    value: v.pipe(v.strictObject({ file, as: v.picklist(['raw', 'inline', 'placeholder']) }), v.check(isPlannedValue)),
  }),
])

function isPosition(value: unknown): boolean {
  return typeof value === 'string' && parameters.position.read([value]) === value
}

/** @returns undefined without a recipe; only for a file that the schema has accepted */
function recipeOf({ recipe: written }: FileDescriptor): Recipe | undefined {
  const read = v.safeParse(recipe, written)
  return read.success ? read.output : undefined
}

function isPreview(known: Recipe | undefined): boolean {
  return known?.kind === 'raster' && known.preview !== undefined
}

/** Whether `planAsset` could have made a descriptor. Only a recipe for pictures changes the extension of a type. */
function isPlanned({ asset, ext, cut, type, recipe: written }: FileDescriptor): boolean {
  if (written === undefined) return ext === extensionOf(cut ?? type)
  const read = v.safeParse(recipe, written)
  if (!read.success) return false
  const { version: _, ...known } = read.output
  if (writeRecipe(known) !== written) return false
  if (known.kind === 'raster') return ext === known.format
  const { prefix, ...whole } = known
  const ownPrefix = prefix === undefined || prefix === prefixOf(asset, whole)
  return ext === 'svg' && extensionOf(cut ?? type) === 'svg' && ownPrefix
}

/** An SVG in a document has a prefix for its ids, whatever the policy. */
function isPlannedValue({ file: described, as }: ValueDescriptor): boolean {
  const known = recipeOf(described)
  if (as === 'placeholder') return isPreview(known)
  return described.ext !== 'svg' || (known?.kind === 'svg' && known.prefix !== undefined)
}

/** A file as text that holds all that is needed to make it. `readFile` reads it. */
export function writeFile(described: FileDescriptor): string {
  return Buffer.from(JSON.stringify(described)).toString('base64url')
}

/**
 * Reads a descriptor that has been in code or in the cache of a bundler. Names and extensions are safe in paths, the
 * asset is a uuid and nothing more, and the recipe is one that this version writes.
 * @param written as `writeFile` makes it, in either alphabet of base64
 * @throws ContentSpaceError `integrity` for anything that no plan could have made
 */
export function readFile(written: string): FileDescriptor {
  return parseFile(Buffer.from(written, 'base64'))
}

/**
 * Reads what `readFile` reads, of which a bundler has decoded the base64.
 * @throws ContentSpaceError as `readFile` does
 */
export function parseFile(bytes: Buffer): FileDescriptor {
  return parse(file, bytes.toString())
}

/**
 * Reads a slot that has been in the cache of a bundler.
 * @param written JSON
 * @throws ContentSpaceError as `readFile` does
 */
export function readSlot(written: string): Slot {
  return parse(slot, written)
}

function parse<T>(schema: v.GenericSchema<unknown, T>, written: string): T {
  const result = v.safeParse(v.pipe(v.string(), v.parseJson(), schema), written)
  if (result.success) return result.output
  throw new ContentSpaceError('integrity', 'A reference to a file is not valid.', {
    hint: 'If the bundler has a cache on disk, remove it and build again.',
  })
}

/**
 * Compares what a descriptor does to an SVG with option `svg`: a reference that was written under another policy, or
 * that was not written by this package, must not avoid the sanitiser.
 * @throws ContentSpaceError `integrity`
 */
export function checkPolicy(described: FileDescriptor, svg: SvgPolicy): void {
  const known = recipeOf(described)
  const policy = known?.kind === 'svg' ? known.policy : 'trust'
  if (described.ext !== 'svg' || policy === svg) return
  const what = `${described.label} is referred to under another option svg than '${svg}'.`
  throw new ContentSpaceError('integrity', what, {
    asset: described.asset,
    hint: 'If the bundler has a cache on disk, remove it and build again.',
  })
}
