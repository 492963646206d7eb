import * as v from 'valibot'
import type { NarrowImport } from '../source/narrow-imports.js'
import type { Use } from '../source/scan.js'

const text = v.string()
const count = v.pipe(v.number(), v.safeInteger(), v.minValue(0))
const specifier = v.pipe(text, v.startsWith('content-space:'))

const use = v.object({
  specifier,
  file: text,
  line: count,
  isAddress: v.optional(v.literal(true)),
  names: v.optional(v.array(text)),
  types: v.optional(v.array(text)),
  tokens: v.optional(v.array(v.object({ kind: v.picklist(['colors', 'fonts']), name: text, line: count }))),
})

const narrowImport = v.object({
  specifier: v.object({ value: specifier, start: count, end: count }),
  names: v.array(text),
  members: v.array(v.tuple([text, v.array(text)])),
})

const uses = v.array(use)
const narrowImports = v.array(narrowImport)

export const readSourceSchema = v.record(text, v.union([uses, narrowImports]))

export function areUses(found: unknown): found is Use[] {
  return v.is(uses, found)
}

export function areNarrowImports(found: unknown): found is NarrowImport[] {
  return v.is(narrowImports, found)
}
