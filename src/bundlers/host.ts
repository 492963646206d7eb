import type { Host } from '../config/options.js'

/** The bundler, as the plugin needs it. */
export interface BundlerHost extends Host {
  command: NonNullable<Host['command']>
  log: { info(message: string): void; warn(message: string): void }
}
