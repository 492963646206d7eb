import { join } from 'node:path'
import { Writable } from 'node:stream'
import type { Settings } from '../driver.js'

/** Returns a configuration for both webpack and Rspack. */
export function packConfiguration(
  project: string,
  { format, publicPath, minify, sourcemap, hashes, development, entries }: Settings,
) {
  return {
    mode: development ? ('development' as const) : ('production' as const),
    context: project,
    target: 'node20' as const,
    entry: Object.fromEntries(entries.map((entry) => [entry.replace('.js', ''), `./${entry}`])),
    devtool: sourcemap ? ('source-map' as const) : (false as const),
    optimization: { minimize: minify },
    performance: false as const,
    output: {
      path: join(project, 'dist'),
      filename: '[name].js',
      publicPath: publicPath === 'relative' ? 'auto' : publicPath,
      assetModuleFilename: hashes ? 'media/[name].[contenthash:8][ext]' : 'media/[name][ext]',
      ...(format === 'es'
        ? { module: true, chunkFormat: 'module' as const, library: { type: 'module' as const } }
        : {}),
    },
    ...(format === 'es' ? { experiments: { outputModule: true } } : {}),
  }
}

/** Returns a stream for the messages that a compiler logs outside its statistics. */
export function logStream(log: string[]): Writable {
  return new Writable({
    write(chunk, _encoding, done) {
      log.push(String(chunk))
      done()
    },
  })
}

interface Compiler {
  run(done: (error: Error | null, stats?: Stats) => void): unknown
  close(done: (error?: Error | null) => void): unknown
}

interface Stats {
  toJson(options: { all: false; errors: true; warnings: true }): {
    errors?: { message: string }[] | undefined
    warnings?: { message: string }[] | undefined
  }
}

/**
 * Runs a compiler once and joins its errors.
 * @returns its warnings
 */
export async function runCompiler(compiler: Compiler): Promise<string[]> {
  const stats = await new Promise<Stats | undefined>((resolve, reject) => {
    compiler.run((error, result) => compiler.close(() => (error ? reject(error) : resolve(result))))
  })
  const { errors = [], warnings = [] } = stats?.toJson({ all: false, errors: true, warnings: true }) ?? {}
  if (errors.length > 0) throw new Error(errors.map(({ message }) => message).join('\n'))
  return warnings.map(({ message }) => message)
}
