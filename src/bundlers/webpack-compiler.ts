import type { OutputFiles } from './webpack-dev-server.js'

/** The part of a compiler that the adapter uses. webpack's and Rspack's compilers both have it. */
export interface PackCompiler {
  context: string
  outputPath: string
  watchMode: boolean
  outputFileSystem: OutputFiles | null
  options: {
    mode?: string | undefined
    target?: unknown
    externalsPresets?: { node?: boolean | undefined } | undefined
    output: {
      publicPath?: unknown
      assetModuleFilename?: unknown
      module?: boolean | undefined
      library?: { type?: string } | undefined
    }
    /** Options of the dev server, if the command line starts it. */
    devServer?: unknown
    plugins: unknown[]
    module: { rules: unknown[]; generator: { asset?: AssetGenerator; 'asset/resource'?: AssetGenerator } }
  }
  hooks: {
    beforeRun: AsyncHook<() => Promise<void>>
    watchRun: AsyncHook<() => Promise<void>>
    beforeCompile: AsyncHook<() => Promise<void>>
    compilation: Hook<(compilation: PackCompilation, parameters: { normalModuleFactory: ModuleFactory }) => void>
    thisCompilation: Hook<(compilation: PackCompilation) => void>
    shouldEmit: Hook<() => false | undefined>
    done: AsyncHook<(stats: { hasErrors(): boolean }) => Promise<void>>
    shutdown: AsyncHook<() => Promise<void>>
  }
  webpack: {
    /** Only Rspack has it. */
    rspackVersion?: string | undefined
    sources: {
      RawSource: new (content: Buffer | string) => unknown
      SourceMapSource: new (code: string, name: string, map: string, before: string, mapBefore: string) => unknown
    }
    Compilation: {
      PROCESS_ASSETS_STAGE_ADDITIONAL: number
      PROCESS_ASSETS_STAGE_SUMMARIZE: number
      PROCESS_ASSETS_STAGE_REPORT: number
    }
  }
  getInfrastructureLogger(name: string): { info(message: string): void; error(message: string): void }
}

interface AssetGenerator {
  filename?: unknown
  emit?: boolean | undefined
}

interface AssetInfo {
  sourceFilename?: string | undefined
}

interface PackSource {
  buffer(): Buffer
  source(): string | Buffer
  map(): object | null
}

export interface PackCompilation {
  errors: Error[]
  warnings: Error[]
  getAssets(): readonly { name: string; source: PackSource; info: AssetInfo }[]
  updateAsset(name: string, source: unknown, info: (info: AssetInfo) => AssetInfo): void
  deleteAsset(name: string): void
  emitAsset(name: string, source: unknown, info: { sourceFilename: string }): void
  getAssetPath(template: unknown, data: { hash: string }): string
  hash?: string | null | undefined
  hooks: { processAssets: AsyncHook<() => Promise<void>, { name: string; stage: number }> }
}

interface ModuleFactory {
  hooks: {
    beforeResolve: Hook<(data: ResolveData) => undefined> &
      AsyncHook<(data: ResolveData) => Promise<undefined>, { name: string; stage: number }>
    resolve: AsyncHook<(data: ResolveData) => Promise<undefined>, { name: string; stage: number }>
  }
}

/** A request. Rspack does not tell the type of its dependency. */
interface ResolveData {
  request: string
  contextInfo: { issuer: string }
  dependencyType?: string
}

interface Hook<Run> {
  tap(name: string, run: Run): void
}

interface AsyncHook<Run, Name = string> {
  tapPromise(name: Name, run: Run): void
}
