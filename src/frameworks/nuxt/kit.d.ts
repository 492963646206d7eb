/** The parts of Nuxt that the module uses. */

declare module '@nuxt/schema' {
  export interface TypesPayload {
    tsConfig: { include?: string[] }
    /** Available since Nuxt 4. */
    sharedTsConfig?: { include?: string[] }
  }

  export interface Nitro {
    options: { output: { publicDir: string } }
    hooks: {
      hook(name: 'types:extend', run: (types: Pick<TypesPayload, 'tsConfig'>) => Promise<void>): void
      hook(name: 'prerender:done', run: () => Promise<void>): void
    }
  }

  export interface NitroConfig {
    rollupConfig?: { plugins?: unknown[] }
  }

  export interface Nuxt {
    options: {
      rootDir: string
      buildDir: string
      dev: boolean
      /** Set by `nuxt prepare`. */
      _prepare: boolean
      app: { baseURL: string; buildAssetsDir: string }
      /** The Nuxt Image options. */
      image?: { providers?: Record<string, { provider: string }> }
    }
    hook(name: 'nitro:config', run: (config: NitroConfig) => void): void
    hook(name: 'nitro:init', run: (nitro: Nitro) => void): void
    hook(name: 'nitro:build:public-assets', run: () => Promise<void>): void
    hook(name: 'prepare:types', run: (payload: TypesPayload) => Promise<void>): void
    hook(name: 'close', run: () => Promise<void>): void
  }
}

declare module '@nuxt/kit' {
  import type { Nuxt } from '@nuxt/schema'

  export function defineNuxtModule<Options extends object>(definition: {
    meta: { name: string; configKey: string; compatibility: { nuxt: string } }
    setup(options: Options, nuxt: Nuxt): void
  }): (inlineOptions: Partial<Options>, nuxt: object) => Promise<void>
  export function addVitePlugin(plugins: () => unknown): void
}
