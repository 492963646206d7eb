import type { FileDescriptor, ValueDescriptor } from './files/plan.js'
import type { References } from './modules/references.js'
import type { Options, ResolvedOptions } from './options.js'
import type { Request } from './request.js'

/** Where an importer works: what options, `.env` files and the lock are read against. */
export interface Host {
  /** Absolute path of the project. */
  root: string
  /** Picks `.env.<mode>` files. */
  mode: string
}

/** The composition: request, kit, files, module. One importer serves a whole build, all its environments and outputs. */
export interface Importer {
  readonly options: ResolvedOptions
  /**
   * Reads an id as the user wrote it, or one that `requestToId` made (generated and narrowed imports).
   * @throws ContentSpaceError `invalidId` or `invalidQuery`, naming the importer and the nearest right thing
   */
  parse(specifier: string, importer?: string): Request
  /**
   * The ES source of the module of a request. Fetches the kit when it is needed first, never a file
   * (but for values that must be literals, where `references` says so).
   */
  module(request: Request, references: References, importer?: string): Promise<string>
  /** The bytes of a file, verified: downloaded, cut and converted, or from the cache; made once however often it is asked. */
  file(file: FileDescriptor): Promise<Uint8Array>
  value(value: ValueDescriptor): Promise<string>
  /**
   * Looks again at what it has loaded: drafts at the service, the rest at the lock, which another process may have changed.
   * @returns whether a module would come out differently now
   * @throws ContentSpaceError `unreachable` and its like; what was loaded stays
   */
  refresh(): Promise<boolean>
  /** Writes what a build has learned, and reports what it used. Called once per finished build. */
  finish(): Promise<Summary>
  close(): Promise<void>
}

/** What a build used and paid. */
export interface Summary {
  kits: { uuid: string; name: string; version: number; assets: number; used: number }[]
  /** HTTP requests sent, downloads included. */
  requests: number
  downloads: number
  /** Bytes received as downloads. */
  bytes: number
  files: number
  warnings: string[]
}

/** Opens an importer: options are completed from the configuration file and the environment of the host. */
export declare function createImporter(options: Options, host: Host): Promise<Importer>
