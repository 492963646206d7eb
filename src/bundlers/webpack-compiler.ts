/** The part of a compiler that the adapter uses. webpack's and Rspack's compilers both have it. */
export interface PackCompiler {
  context: string
  watchMode: boolean
  options: {
    mode?: string | undefined
    target?: unknown
    externalsPresets?: { node?: boolean | undefined } | undefined
    devServer?: unknown
    output: { publicPath?: unknown; assetModuleFilename?: unknown }
    module: { rules: unknown[] }
  }
  hooks: {
    beforeCompile: AsyncHook<() => Promise<void>>
    compilation: Hook<(compilation: PackCompilation, parameters: { normalModuleFactory: ModuleFactory }) => void>
    thisCompilation: Hook<(compilation: PackCompilation) => void>
    shouldEmit: Hook<() => false | undefined>
    done: AsyncHook<(stats: { hasErrors(): boolean }) => Promise<void>>
    shutdown: AsyncHook<() => Promise<void>>
  }
  webpack: {
    sources: { RawSource: new (bytes: Buffer) => unknown }
    Compilation: { PROCESS_ASSETS_STAGE_ADDITIONAL: number; PROCESS_ASSETS_STAGE_REPORT: number }
  }
  getInfrastructureLogger(name: string): { info(message: string): void }
}

interface AssetInfo {
  sourceFilename?: string | undefined
}

export interface PackCompilation {
  errors: Error[]
  warnings: Error[]
  getAssets(): readonly { name: string; source: { buffer(): Buffer }; info: AssetInfo }[]
  updateAsset(name: string, source: unknown, info: (info: AssetInfo) => AssetInfo): void
  deleteAsset(name: string): void
  hooks: { processAssets: AsyncHook<() => Promise<void>, { name: string; stage: number }> }
}

interface ModuleFactory {
  hooks: { beforeResolve: Hook<(data: { request: string }) => undefined> }
}

interface Hook<Run> {
  tap(name: string, run: Run): void
}

interface AsyncHook<Run, Name = string> {
  tapPromise(name: Name, run: Run): void
}
