import { createRequire, register } from 'node:module'
import process from 'node:process'
import { pathToFileURL } from 'node:url'

// vite-imagetools depends on an older sharp, whose encoders take different times. Both sides use the one of this package.
const sharp = pathToFileURL(createRequire(import.meta.url).resolve('sharp')).href
const hooks = `export const resolve = (specifier, context, next) =>
  specifier === 'sharp' ? { url: ${JSON.stringify(sharp)}, shortCircuit: true } : next(specifier, context)`
register(`data:text/javascript,${encodeURIComponent(hooks)}`)

export default async () => {
  const { imagetools } = await import('vite-imagetools')
  return {
    plugins: [imagetools({ cache: { dir: process.env.IMAGETOOLS_CACHE } })],
  }
}
