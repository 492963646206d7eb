/** The package and the configuration files of each bundler. A bundler that is built on another one comes before it. */
export const bundlers = {
  vite: { package: 'vite', config: 'vite.config' },
  farm: { package: '@farmfe/core', config: 'farm.config' },
  rspack: { package: '@rspack/core', config: 'rspack.config' },
  webpack: { package: 'webpack', config: 'webpack.config' },
  rolldown: { package: 'rolldown', config: 'rolldown.config' },
  rollup: { package: 'rollup', config: 'rollup.config' },
  esbuild: { package: 'esbuild', config: 'esbuild.config' },
} as const satisfies Record<string, { package: string; config: string }>

export type Bundler = keyof typeof bundlers

export const bundlerNames = Object.keys(bundlers).filter(isBundler)

function isBundler(name: string): name is Bundler {
  return Object.hasOwn(bundlers, name)
}
