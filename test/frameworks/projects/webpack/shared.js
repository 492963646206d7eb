/** The configuration for both bundlers. */
export const shared = {
  mode: process.env.NODE_ENV === 'production' ? 'production' : 'development',
  devtool: false,
  entry: './src/main.js',
  output: { publicPath: '/shop/', assetModuleFilename: 'media/[name].[contenthash:8][ext]', clean: true },
  infrastructureLogging: { level: 'warn' },
}

export const server = { host: '127.0.0.1', static: 'public', allowedHosts: 'all', setupExitSignals: true }
