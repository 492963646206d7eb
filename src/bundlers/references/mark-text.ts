import type { MarkTarget } from './descriptors.js'

/** A string that is split at the parts to be replaced with expressions. */
export interface SplitText<Target> {
  targets: Target[]
  /** The strings around the targets. The list has one more entry than `targets`. */
  texts: string[]
}

const START = '__CONTENT_SPACE_'
const MARKS = /__CONTENT_SPACE_([\da-f]{64})__END/g
/** Matches marks that are a whole string. */
export const QUOTED = /(["'])__CONTENT_SPACE_([\da-f]{64})__END\1/g

/** @param id 64 hexadecimal digits */
export function writeMark(id: string): string {
  return `${START}${id}__END`
}

/** Quickly checks whether code may contain marks, before parsing it. */
export function mayHaveMarks(code: string): boolean {
  return code.includes(START)
}

/** Finds the target of a mark. Returns undefined for an id that this build didn't make. */
export type FindTarget = (id: string) => MarkTarget | undefined

/** Splits a string at its marks. A mark without a target remains part of the string. */
export function splitAtMarks(text: string, findTarget: FindTarget): SplitText<MarkTarget> {
  const split: SplitText<MarkTarget> = { targets: [], texts: [] }
  let end = 0
  for (const { 0: mark, 1: id = '', index } of text.matchAll(MARKS)) {
    const target = findTarget(id)
    if (target === undefined) continue
    split.targets.push(target)
    split.texts.push(text.slice(end, index))
    end = index + mark.length
  }
  split.texts.push(text.slice(end))
  return split
}
