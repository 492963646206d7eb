import type { NarrowImport } from './narrow-imports.js'
import type { Use } from './use.js'

/** What was found in texts of the source, so that a build parses only texts that no build before it has parsed. */
export interface SourceMemory {
  /** Returns the uses of content in a text. @param read called if they are not known */
  uses(this: void, code: string, file: string, read: () => Promise<Use[]>): Promise<Use[]>
  /** Returns the imports in a text whose names are known. @param read called if they are not known */
  imports(this: void, code: string, file: string, read: () => Promise<NarrowImport[]>): Promise<NarrowImport[]>
}

export const noMemory: SourceMemory = {
  uses: async (_code, _file, read) => read(),
  imports: async (_code, _file, read) => read(),
}
