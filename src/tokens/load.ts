import type { ColorToken } from '../asset.js'
import type { Answer } from '../catalog/answers.js'
import type { Catalog } from '../catalog/catalog.js'
import { readContent } from '../disk/content.js'
import { ContentSpaceError } from '../errors.js'
import type { Files } from '../files/files.js'
import type { FileDescriptor } from '../files/plan.js'
import type { NamedKit } from '../kit/named-kit.js'
import { isToken } from '../lock/table.js'
import type { Answered, From } from '../modules/parts.js'
import type { KitReference } from '../request/request.js'
import { allPresent } from '../space/offline.js'
import { sizeText } from '../text/quantities.js'
import { colorsOf } from './colors.js'
import { fontsOf, planFonts, type KitFont } from './fonts.js'

/** The colors and fonts of a kit, by export name, in display order. */
export interface KitTokens {
  named: NamedKit
  colors: ReadonlyMap<string, ColorToken>
  fonts: ReadonlyMap<string, KitFont>
}

export type Tokens = ReturnType<typeof openTokens>

export interface TokensContext {
  catalog: Pick<Catalog, 'answer' | 'answerListed'>
  files: Pick<Files, 'use'>
  /** Called with the content of a version that a module uses. By default, nothing is reported. */
  onUse?: (answered: Answered) => void
  warn(this: void, message: string): void
}

/** The maximum size of a font file in bytes. */
const maxSize = 64 * 1024 * 1024

/** Marks all colors and fonts of a kit as used. */
export const tokensUse = { assets: [], whole: ['tokens', 'kit'] }

export function openTokens({ catalog, files, warn, onUse = () => {} }: TokensContext) {
  const ask = (reference: KitReference, from: From = 'lock'): Promise<Answer<undefined>> =>
    catalog[from === 'lock' ? 'answer' : 'answerListed'](reference, () => ({ value: undefined, use: tokensUse }))
  const read = (file: FileDescriptor) =>
    files.use(file, async (content) => {
      if (content.size <= maxSize) return readContent(content)
      const [size, limit] = [content.size, maxSize].map(sizeText)
      const message = `${file.label} (${size}) is too large for a font: the limit is ${limit}.`
      throw new ContentSpaceError('contentMismatch', message, { asset: file.asset })
    })
  return {
    read,
    warn,
    ask,
    /** Returns a kit with its colors and fonts, for a module. */
    async kit(this: void, reference: KitReference): Promise<NamedKit> {
      const answer = await ask(reference)
      onUse({ reference, answer, assets: Object.values(answer.named.kit.assets).filter(isToken) })
      return answer.named
    },
    /**
     * Loads a kit and reads all its colors and fonts.
     * @param isWritten whether all font files are needed, even if they don't have to be read
     * @throws ContentSpaceError any error of the catalog or of a font download
     */
    async load(this: void, reference: KitReference, isWritten = false): Promise<KitTokens> {
      const { named } = await ask(reference)
      const written = isWritten ? planFonts(named).flatMap(({ source }) => ('file' in source ? source.file : [])) : []
      await allPresent(written.map((file) => files.use(file, async () => {})))
      return { named, colors: await colorsOf(named, warn), fonts: await fontsOf(named, { read, warn }) }
    },
  }
}
