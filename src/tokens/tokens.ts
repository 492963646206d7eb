import type { ColorToken, FontToken } from '../asset.js'
import type { FileDescriptor } from '../files/plan.js'
import type { NamedKit } from '../kit/named-kit.js'

/** A font without an address: modules and files refer to its file in different ways. */
export type KitFont = Omit<FontToken, 'src'> & {
  /** The file, unchanged. Absent for a font that is a style sheet elsewhere. */
  file?: FileDescriptor
}

/** The colors and fonts of a kit, by export name, in display order. */
export interface KitTokens {
  named: NamedKit
  colors: ReadonlyMap<string, ColorToken>
  fonts: ReadonlyMap<string, KitFont>
}
