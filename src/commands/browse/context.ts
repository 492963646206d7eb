import type { Catalog } from '../../catalog/catalog.js'
import type { ResolvedOptions } from '../../config/options.js'
import type { Store } from '../../files/store.js'
import type { LockSession } from '../../lock/session.js'
import type { Described } from '../../modules/declarations.js'
import type { Request } from '../../request/request.js'
import type { Space } from '../../space/space.js'
import type { Differ } from '../diff/diff.js'

/** How the kit browser is served. */
export interface BrowserOrder {
  mode: 'dev' | 'browse'
  /** Called when a page is opened. The content is watched from then on. */
  onPage?: () => void
  /** Receives what the terminal should show: bugs, and editors that cannot be opened. */
  warn: (message: string) => void
}

/** The parts of an importer that the kit browser is made with. */
export interface BrowserContext {
  options: ResolvedOptions
  space: Space
  store: Store
  lock: Pick<LockSession, 'kits' | 'version'>
  catalog: Catalog
  parse(this: void, specifier: string): Request
  /** Resolves a specifier of the source. */
  resolve(this: void, specifier: string): Promise<Described>
  differ(this: void): Promise<Differ>
}
